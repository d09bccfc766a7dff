import assert from "node:assert/strict";
import { embeddedExchange } from "./broker/embedded.ts";
import { TestService } from "../tests/support/service.ts";

for (
  const [method, path, allow] of [
    ["DELETE", "/setup/status", "GET, HEAD"],
    ["GET", "/setup", "POST"],
    ["PUT", "/connectors", "GET, HEAD"],
    ["POST", "/connectors/sample", "GET, HEAD"],
    ["DELETE", "/connectors/sample/config", "GET, HEAD"],
    ["GET", "/connectors/sample/configure", "POST"],
    ["GET", "/webhooks/sample/token", "POST"],
    ["POST", "/events/stream", "GET, HEAD"],
    ["PATCH", "/workspaces", "GET, HEAD, POST"],
    ["POST", "/workspaces/some", "PATCH, DELETE"],
    ["PATCH", "/workspaces/some/keys", "POST, GET, HEAD"],
  ] as const
) {
  Deno.test(`${method} ${path} is 405 and names what is allowed`, async () => {
    await using service = await TestService.start();
    const response = await service.app.request(path, { method });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get("allow"), allow);
    assert.equal(response.headers.get("content-type"), "application/problem+json");
  });
}

Deno.test("an unknown path is 404 as a problem", async () => {
  await using service = await TestService.start();
  const response = await service.app.request("/nowhere");
  assert.equal(response.status, 404);
  assert.equal(response.headers.get("content-type"), "application/problem+json");
});

for (const path of ["/setup", "/connectors/sample/configure"]) {
  const send = (service: TestService, contentType: string, body: string) =>
    service.app.request(path, { method: "POST", headers: { "content-type": contentType }, body });

  Deno.test(`POST ${path} with what is not JSON is 400`, async () => {
    await using service = await TestService.start();
    for (const contentType of ["application/json", "text/plain"]) {
      for (const body of ["nope", "", '{"a":']) assert.equal((await send(service, contentType, body)).status, 400);
    }
  });

  Deno.test(`POST ${path} with JSON as a form is 415, since any web page can send that`, async () => {
    await using service = await TestService.start();
    assert.equal((await send(service, "application/x-www-form-urlencoded", "{}")).status, 415);
    assert.equal((await send(service, "text/plain", "{}")).status, 415);
  });

  Deno.test(`POST ${path} takes JSON under any spelling of its media type`, async () => {
    await using service = await TestService.start();
    for (
      const type of ["application/json ; charset=utf-8", "application/json;", "APPLICATION/JSON", "application/x+json"]
    ) {
      assert.equal((await send(service, type, "{}")).status, 422, type);
    }
  });

  Deno.test(`POST ${path} with a body over the limit is 413`, async () => {
    await using service = await TestService.start({ limits: { maxBodyBytes: 100 } });
    const body = JSON.stringify({ workspaceName: "x".repeat(100) });
    assert.equal((await send(service, "application/json", body)).status, 413);
  });
}

Deno.test("settings over 4 MiB are 413, however large a delivery may be", async () => {
  await using service = await TestService.start({ limits: { maxBodyBytes: 16 * 1024 * 1024 } });
  const statusOf = async (bytes: number) => {
    const { length } = JSON.stringify({ workspaceName: "" });
    return (await service.post("/setup", { workspaceName: "x".repeat(bytes - length) })).status;
  };
  assert.equal(await statusOf(4 * 1024 * 1024), 422, "the name is too long");
  assert.equal(await statusOf(4 * 1024 * 1024 + 1), 413);
});

Deno.test("settings that find no room are 503 with Retry-After, and room is given back with the answer", async () => {
  await using service = await TestService.start({ limits: { bodyMemoryBytes: 10_000 } });
  const send = (length: number) => service.post("/setup", { workspaceName: "x".repeat(length) });
  for (let round = 0; round < 5; round++) {
    const refused = await send(20_000);
    assert.equal(refused.status, 503);
    assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
    assert.equal((await send(8000)).status, 422, "the name is too long");
  }
});

Deno.test("GET /healthz and /readyz say that the service works", async () => {
  await using service = await TestService.start();
  assert.deepEqual(await (await service.app.request("/healthz")).json(), { ok: true });
  const readiness = await (await service.app.request("/readyz")).json();
  assert.equal(readiness.ready, true);
  assert.equal(readiness.checks.store.ok, true);
  assert.equal(readiness.checks.broker.ok, true);
});

Deno.test("GET /openapi.json describes every route of the API", async () => {
  await using service = await TestService.start();
  const { openapi, paths, components } = await (await service.app.request("/openapi.json")).json();
  assert.equal(openapi, "3.1.0");
  assert.deepEqual(Object.keys(paths).sort(), [
    "/asyncapi.json",
    "/audit",
    "/connectors",
    "/connectors/{id}",
    "/connectors/{id}/config",
    "/connectors/{id}/configure",
    "/connectors/{id}/end-overlap",
    "/connectors/{id}/poll",
    "/connectors/{id}/renew-url",
    "/dead-letters",
    "/dead-letters/retry",
    "/dead-letters/{letterId}/discard",
    "/dead-letters/{letterId}/retry",
    "/events/stream",
    "/healthz",
    "/metrics",
    "/readyz",
    "/schemas/{type}.json",
    "/setup",
    "/setup/status",
    "/webhooks/{connectorId}/{webhookToken}",
    "/workspaces",
    "/workspaces/{workspaceId}",
    "/workspaces/{workspaceId}/keys",
    "/workspaces/{workspaceId}/keys/{keyId}",
  ]);
  assert.ok(components.schemas.NormalizedEvent.properties.occurredAt);
  const { requestBody } = paths["/connectors/{id}/configure"].post;
  assert.deepEqual(requestBody.content["application/json"].schema.required, ["workspaceId", "enabled"]);
});

Deno.test("an unexpected failure is 500 without its reason", async () => {
  const health = () => {
    throw new Error("a secret reason");
  };
  await using service = await TestService.start({ exchange: { ...embeddedExchange(), health } });
  const response = await service.app.request("/readyz");
  assert.equal(response.status, 500);
  assert.ok(!(await response.text()).includes("secret reason"));
});
