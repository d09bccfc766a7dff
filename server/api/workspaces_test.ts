import assert from "node:assert/strict";
import { z } from "zod";
import { sampleDelivery } from "../../tests/support/sample.ts";
import { TestService } from "../../tests/support/service.ts";

const workspaceSchema = z.strictObject({
  workspaceId: z.uuid(),
  workspaceName: z.string(),
  createdAt: z.iso.datetime(),
});

async function create(service: TestService, workspaceName: string): Promise<string> {
  return workspaceSchema.parse(await (await service.post("/workspaces", { workspaceName })).json()).workspaceId;
}

async function names(service: TestService): Promise<string[]> {
  const listed = z.array(workspaceSchema).parse(await (await service.app.request("/workspaces")).json());
  return listed.map(({ workspaceName }) => workspaceName).sort();
}

const send = (service: TestService, method: string, path: string, body?: unknown) =>
  service.app.request(path, {
    method,
    ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });

Deno.test("workspaces are created, listed and renamed; the first one completes the setup", async () => {
  await using service = await TestService.start();
  const first = await create(service, "  One ");
  await create(service, "Two");
  assert.deepEqual(await names(service), ["One", "Two"]);
  const status = await (await service.app.request("/setup/status")).json();
  assert.deepEqual([status.setupComplete, status.workspaceId], [true, first]);
  assert.equal((await service.post("/setup", { workspaceName: "Three" })).status, 409);
  assert.equal((await send(service, "PATCH", `/workspaces/${first}`, { workspaceName: "Uno" })).status, 200);
  assert.deepEqual(await names(service), ["Two", "Uno"]);
});

Deno.test("a workspace's name must fit, and the workspace be there", async () => {
  await using service = await TestService.start();
  const id = await create(service, "One");
  for (const workspaceName of ["", "   ", "x".repeat(201), 7, null]) {
    for (
      const [method, path] of [["POST", "/workspaces"], ["PATCH", `/workspaces/${id}`], ["POST", "/setup"]] as const
    ) {
      const response = await send(service, method, path, { workspaceName });
      assert.equal(response.status, 422, `${method} ${path} ${workspaceName}`);
      assert.equal((await response.json()).errors[0].pointer, "/workspaceName");
    }
  }
  const unknown = crypto.randomUUID();
  for (
    const [method, path, body] of [
      ["PATCH", `/workspaces/${unknown}`, { workspaceName: "x" }],
      ["DELETE", `/workspaces/${unknown}`, undefined],
      ["GET", `/workspaces/${unknown}/keys`, undefined],
      ["POST", `/workspaces/${unknown}/keys`, { name: "x", scope: "read" }],
      ["DELETE", `/workspaces/${id}/keys/${unknown}`, undefined],
      ["GET", `/audit?workspaceId=${unknown}`, undefined],
    ] as const
  ) {
    assert.equal((await send(service, method, path, body)).status, 404, `${method} ${path}`);
  }
  assert.equal((await send(service, "DELETE", "/workspaces/nonsense")).status, 422);
});

Deno.test("a removed workspace leaves nothing in the store, and its webhook URL is unknown", async () => {
  await using service = await TestService.start();
  const kept = await service.setUp();
  const keptUrl = await service.enableSample(kept);
  const removed = await create(service, "Gone");
  const url = await service.enableSample(removed, { label: "x".repeat(100_000) });
  await service.post(`/workspaces/${removed}/keys`, { name: "key", scope: "read" });
  await service.app.request(url, { method: "POST", ...sampleDelivery(["one", "x".repeat(100_000)]) });
  await service.app.request(url, { method: "POST", headers: {}, body: "unsigned" });
  await service.recorder.flush();
  const stream = await service.app.request(`/events/stream?workspaceId=${removed}`);

  assert.equal((await send(service, "DELETE", `/workspaces/${removed}`)).status, 200);
  await stream.text(); // It ends.
  const left = await Array.fromAsync(service.kv.list({ prefix: [] }), ({ key, value }) => {
    return `${JSON.stringify(key.map(String))} ${value instanceof Uint8Array ? new TextDecoder().decode(value) : ""}`;
  });
  const [account, rest] = [/^\["audit"/, /^\["(?!audit"|workspace_removal")/].map((kind) =>
    left.filter((entry) => kind.test(entry))
  );
  assert.deepEqual(rest?.filter((entry) => entry.includes(removed)), []);
  assert.ok(account?.some((entry) => entry.includes("removed the workspace")), "who removed it stays known");
  const changes = await (await service.app.request(`/audit?workspaceId=${removed}`)).json();
  assert.equal(changes.at(-1)?.action, "created the workspace");
  const before = await service.app.request(`/audit?workspaceId=${removed}&before=${changes.at(-1)?.id}`);
  assert.deepEqual([before.status, await before.json()], [200, []], "a last page is empty, not unknown");
  assert.ok(left.some((entry) => entry.includes(kept)));
  assert.equal((await service.app.request(url, { method: "POST", ...sampleDelivery(["two"]) })).status, 404);
  assert.equal((await service.app.request(`/events/stream?workspaceId=${removed}`)).status, 404);
  assert.equal((await service.app.request(keptUrl, { method: "POST", ...sampleDelivery(["two"]) })).status, 200);
});

Deno.test("after the first workspace is removed the next one is the first; after the last, setup begins anew", async () => {
  await using service = await TestService.start();
  const first = await create(service, "One");
  const second = await create(service, "Two");
  const status = async () => await (await service.app.request("/setup/status")).json();
  await send(service, "DELETE", `/workspaces/${first}`);
  assert.equal((await status()).workspaceId, second);
  await send(service, "DELETE", `/workspaces/${second}`);
  assert.deepEqual(await status(), { setupComplete: false, workspaceId: null, hasActiveConnectors: false });
  assert.equal((await service.post("/setup", { workspaceName: "Three" })).status, 200);
});

Deno.test("an API key's secret is shown once, and ends the streams when it is revoked", async () => {
  await using service = await TestService.start();
  const id = await service.setUp();
  const made = await (await service.post(`/workspaces/${id}/keys`, { name: "consumer", scope: "read" })).json();
  assert.match(made.secret, /^inlet_[\w-]{43}$/);
  const listed = await (await service.app.request(`/workspaces/${id}/keys`)).text();
  assert.ok(listed.includes('"consumer"') && !listed.includes(made.secret));
  const stream = await service.app.request(`/events/stream?workspaceId=${id}`);
  assert.equal((await send(service, "DELETE", `/workspaces/${id}/keys/${made.id}`)).status, 200);
  await stream.text(); // It ends.
  assert.equal(await (await service.app.request(`/workspaces/${id}/keys`)).text(), "[]");
  for (const body of [{ name: "", scope: "read" }, { name: "x", scope: "write" }, { name: "x" }]) {
    assert.equal((await service.post(`/workspaces/${id}/keys`, body)).status, 422, JSON.stringify(body));
  }
});
