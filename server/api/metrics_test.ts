import assert from "node:assert/strict";
import { keyCaller, metricsCaller } from "../access/caller.ts";
import { TestService } from "../../tests/support/service.ts";

Deno.test("GET /metrics is Prometheus' text format, for METRICS_TOKEN and the administrator", async () => {
  await using service = await TestService.start();
  for (const caller of [undefined, metricsCaller()]) {
    const response = await service.app.request("/metrics", {}, caller);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    assert.match(await response.text(), /^inlet_ready 1$/m);
  }
});

Deno.test("GET /metrics refuses an API key, for metrics are of all workspaces", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  for (const scope of ["read", "manage"] as const) {
    const response = await service.app.request(
      "/metrics",
      {},
      keyCaller({ id: crypto.randomUUID(), name: "k", workspaceId, scope }),
    );
    assert.equal(response.status, 403);
    assert.match((await response.json()).detail, /METRICS_TOKEN or ADMIN_TOKEN/);
  }
});
