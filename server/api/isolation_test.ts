/** Nothing of one workspace is reached with a key of another, by whatever the API describes of itself. */
import assert from "node:assert/strict";
import { z } from "zod";
import { keyCaller } from "../access/caller.ts";
import { TestService } from "../../tests/support/service.ts";

const operationSchema = z.object({
  responses: z.record(z.string(), z.unknown()),
  parameters: z.array(z.object({ name: z.string() })).default([]),
});
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });
/** Asked of nobody: sources prove themselves, supervisors ask for health. */
const OPEN = ["/webhooks/{connectorId}/{webhookToken}", "/healthz", "/readyz"];
/** What a key that may read is not to see of its own workspace, or of the service. */
const NOT_TO_READ = ["/audit", "/workspaces/{workspaceId}/keys", "/setup/status", "/metrics"];
const METHODS = ["get", "post", "put", "patch", "delete"];

interface Operation {
  readonly method: string;
  readonly path: string;
  /** The statuses that it is described to have. */
  readonly statuses: readonly string[];
  /** Whether it is asked of one workspace, by its path or its query. */
  readonly ofWorkspace: boolean;
}

async function operationsOf(service: TestService): Promise<Operation[]> {
  const document = documentSchema.parse(await (await service.app.request("/openapi.json")).json());
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).filter(([method]) => METHODS.includes(method) && !OPEN.includes(path))
      .map(([method, { responses, parameters }]) => ({
        method: method.toUpperCase(),
        path,
        statuses: Object.keys(responses),
        ofWorkspace: parameters.some(({ name }) => name === "workspaceId"),
      }))
  );
}

/** A request that is well-formed for any of the operations, about one workspace. */
function requestFor({ method, path }: Operation, workspaceId: string): [string, RequestInit] {
  const filled = path.replace("{workspaceId}", workspaceId).replace("{id}", "sample")
    .replaceAll(/\{\w+\}/g, crypto.randomUUID());
  const body = { workspaceId, workspaceName: "Mine now", name: "key", scope: "manage", enabled: false };
  const wanted = path === "/workspaces" || path === "/setup" || path === "/workspaces/{workspaceId}"
    ? { workspaceName: body.workspaceName }
    : path.endsWith("/keys")
    ? { name: body.name, scope: body.scope }
    : path.endsWith("/configure")
    ? { workspaceId, enabled: false }
    : { workspaceId };
  const init = method === "GET" ? {} : {
    headers: { "content-type": "application/json" },
    ...(method !== "DELETE" && { body: JSON.stringify(wanted) }),
  };
  return [`${filled}?workspaceId=${workspaceId}`, { method, ...init }];
}

Deno.test("a key reaches nothing of another workspace, on any endpoint", async () => {
  await using service = await TestService.start();
  const mine = await service.setUp();
  const theirs = z.object({ workspaceId: z.string() })
    .parse(await (await service.post("/workspaces", { workspaceName: "Theirs" })).json()).workspaceId;
  const url = await service.enableSample(theirs);
  const caller = keyCaller({ id: "1", name: "mine", workspaceId: mine, scope: "manage" });
  const operations = await operationsOf(service);
  assert.ok(operations.length >= 12, String(operations.length));
  assert.ok(operations.filter(({ method, ofWorkspace }) => method === "GET" && ofWorkspace).length >= 5);
  for (const operation of operations) {
    const [path, init] = requestFor(operation, theirs);
    const response = await service.app.request(path, init, caller);
    const text = await response.text();
    const what = `${operation.method} ${operation.path}: ${response.status} ${text}`;
    const isForAll = operation.method === "GET" && !operation.ofWorkspace && response.status === 200;
    assert.ok([403, 404].includes(response.status) || isForAll && !text.includes(theirs), what);
    assert.ok(!text.includes("Theirs") && !text.includes(url), what);
    assert.ok(operation.statuses.includes(String(response.status)), `${what} is not in the description`);
  }
  const view = await (await service.app.request(`/connectors/sample/config?workspaceId=${theirs}`)).json();
  assert.equal(view.enabled, true, "nothing was changed");
  const listed = await (await service.app.request("/workspaces")).json();
  assert.deepEqual(listed.map((each: { workspaceName: string }) => each.workspaceName).sort(), ["Acme", "Theirs"]);
});

Deno.test("an unknown workspace is not told apart from another's", async () => {
  await using service = await TestService.start();
  const mine = await service.setUp();
  const theirs = (await (await service.post("/workspaces", { workspaceName: "Theirs" })).json()).workspaceId;
  const caller = keyCaller({ id: "1", name: "mine", workspaceId: mine, scope: "read" });
  const nowhere = crypto.randomUUID();
  const [one, other] = await Promise.all([theirs, nowhere].map(async (id) => {
    const response = await service.app.request(`/connectors/sample/config?workspaceId=${id}`, {}, caller);
    return [response.status, (await response.text()).replaceAll(id, "…")];
  }));
  assert.deepEqual(one, other);
});

Deno.test("a key that may read cannot change its own workspace", async () => {
  await using service = await TestService.start();
  const mine = await service.setUp();
  const caller = keyCaller({ id: "1", name: "mine", workspaceId: mine, scope: "read" });
  for (const operation of await operationsOf(service)) {
    if (operation.method === "GET" && !NOT_TO_READ.includes(operation.path)) continue;
    const [path, init] = requestFor(operation, mine);
    const { status } = await service.app.request(path, init, caller);
    assert.equal(status, 403, `${operation.method} ${operation.path}`);
    assert.ok(operation.statuses.includes("403"), `${operation.method} ${operation.path} is not described to be 403`);
  }
  const config = await service.app.request(`/connectors/sample/config?workspaceId=${mine}`, {}, caller);
  assert.equal(config.status, 200);
});
