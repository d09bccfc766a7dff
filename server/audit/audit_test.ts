import assert from "node:assert/strict";
import { z } from "zod";
import { adminCaller, keyCaller } from "../access/caller.ts";
import { SAMPLE_SECRET } from "../../tests/support/sample.ts";
import { TestService } from "../../tests/support/service.ts";

const entriesSchema = z.array(
  z.strictObject({
    id: z.uuid(),
    at: z.iso.datetime(),
    by: z.string(),
    action: z.string(),
    subject: z.string(),
    detail: z.string(),
  }),
);

async function entries(service: TestService, workspaceId: string, query = ""): Promise<z.output<typeof entriesSchema>> {
  const response = await service.app.request(`/audit?workspaceId=${workspaceId}${query}`);
  return entriesSchema.parse(await response.json());
}

const told = (listed: z.output<typeof entriesSchema>) =>
  listed.map(({ by, action, subject, detail }) => [by, action, subject, detail].join("|"));

Deno.test("the audit tells who changed what, newest first, and never a value", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  await service.enableSample(workspaceId, { shout: true });
  const change = { workspaceId, enabled: false, config: { label: "quiet" }, secrets: { spare: "another secret" } };
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(change) };
  await service.app.request(
    "/connectors/sample/configure",
    init,
    keyCaller({ id: "1", name: "k", workspaceId, scope: "manage" }),
  );
  const key = await (await service.post(`/workspaces/${workspaceId}/keys`, { name: "consumer", scope: "read" })).json();
  await service.app.request(`/workspaces/${workspaceId}/keys/${key.id}`, { method: "DELETE" }, adminCaller("admin"));

  const listed = await entries(service, workspaceId);
  assert.deepEqual(told(listed), [
    "admin|revoked the API key|consumer|",
    "test|made the API key|consumer|it may read",
    "key k|configured|sample|turned off, shout, label, spare set",
    "test|configured|sample|turned on, shout, signingSecret set",
    "test|completed the setup|Acme|",
  ]);
  for (const secret of [SAMPLE_SECRET, "another secret", key.secret, "quiet"]) {
    assert.ok(!JSON.stringify(listed).includes(secret), secret);
  }
});

Deno.test("the audit is read in pages, of one workspace", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const other = (await (await service.post("/workspaces", { workspaceName: "Other" })).json()).workspaceId;
  for (let count = 0; count < 5; count++) {
    await service.post(`/workspaces/${workspaceId}/keys`, { name: `${count}`, scope: "read" });
  }
  const first = await entries(service, workspaceId, "&limit=2");
  const second = await entries(service, workspaceId, `&limit=10&before=${first[1]?.id}`);
  assert.deepEqual([...first, ...second].map(({ subject }) => subject), ["4", "3", "2", "1", "0", "Acme"]);
  assert.deepEqual(await entries(service, workspaceId, `&before=${first[1]?.id.toUpperCase()}`), second);
  assert.deepEqual(told(await entries(service, other)), ["test|created the workspace|Other|"]);
  const refused = await service.app.request(`/audit?workspaceId=${workspaceId}&limit=0`);
  assert.equal(refused.status, 422);
});

Deno.test("what was refused is not in the audit", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  await service.post("/connectors/sample/configure", { workspaceId, enabled: true, secrets: {} });
  await service.post(`/workspaces/${workspaceId}/keys`, { name: "", scope: "read" });
  assert.equal((await entries(service, workspaceId)).length, 1);
});
