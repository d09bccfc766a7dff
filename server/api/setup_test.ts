import assert from "node:assert/strict";
import { TestService } from "../../tests/support/service.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

Deno.test("GET /setup/status tells of an empty installation", async () => {
  await using service = await TestService.start();
  const response = await service.app.request("/setup/status");
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { setupComplete: false, workspaceId: null, hasActiveConnectors: false });
});

Deno.test("POST /setup creates the first workspace, and the status tells its id", async () => {
  await using service = await TestService.start();
  const response = await service.post("/setup", { workspaceName: "Acme" });
  assert.equal(response.status, 200);
  const body = await response.json();
  assert.deepEqual(Object.keys(body), ["workspaceId"]);
  assert.match(body.workspaceId, UUID);
  const status = await (await service.app.request("/setup/status")).json();
  assert.deepEqual(status, { setupComplete: true, workspaceId: body.workspaceId, hasActiveConnectors: false });
});

Deno.test("POST /setup again is a conflict and changes nothing", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const response = await service.post("/setup", { workspaceName: "Other" });
  assert.equal(response.status, 409);
  assert.equal(response.headers.get("content-type"), "application/problem+json");
  assert.equal((await (await service.app.request("/setup/status")).json()).workspaceId, workspaceId);
});

Deno.test("POST /setup 50 times at once succeeds once", async () => {
  await using service = await TestService.start();
  const names = Array.from({ length: 50 }, (_, index) => `Workspace ${index}`);
  const responses = await Promise.all(names.map((workspaceName) => service.post("/setup", { workspaceName })));
  assert.equal(responses.filter(({ status }) => status === 200).length, 1);
  assert.equal(responses.filter(({ status }) => status === 409).length, 49);
  assert.equal((await Array.fromAsync(service.kv.list({ prefix: ["workspace"] }))).length, 1);
});

for (
  const [what, body, pointer] of [
    ["no name", {}, "/workspaceName"],
    ["an empty name", { workspaceName: "  " }, "/workspaceName"],
    ["a name that is a number", { workspaceName: 7 }, "/workspaceName"],
    ["a name of 201 characters", { workspaceName: "x".repeat(201) }, "/workspaceName"],
    ["a field it does not know", { workspaceName: "Acme", workspace: "Acme" }, "/workspace"],
    ["a list", [], ""],
  ] as const
) {
  Deno.test(`POST /setup with ${what} is refused with its place and writes nothing`, async () => {
    await using service = await TestService.start();
    const response = await service.post("/setup", body);
    assert.equal(response.status, 422);
    const { errors } = await response.json();
    assert.deepEqual(errors.map((error: { pointer: string }) => error.pointer), [pointer]);
    assert.deepEqual(await Array.fromAsync(service.kv.list({ prefix: [] })), []);
  });
}
