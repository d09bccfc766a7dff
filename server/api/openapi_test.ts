import { createConfig, lintFromString } from "@redocly/openapi-core";
import assert from "node:assert/strict";
import { z } from "zod";
import { TestService } from "../../tests/support/service.ts";
import { describeApi } from "./openapi.ts";
import { createRouter } from "./router.ts";

const documentSchema = z.object({
  servers: z.array(z.object({ url: z.string() })),
  security: z.array(z.unknown()),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ operationId: z.string(), tags: z.array(z.string()).min(1) })),
  ),
});

async function openApi(): Promise<string> {
  await using service = await TestService.start();
  const response = await service.app.request("/openapi.json");
  assert.equal(response.headers.get("content-type"), "application/json");
  return await response.text();
}

Deno.test("GET /openapi.json passes Redocly's recommended rules", async () => {
  // The messages of the live stream are NormalizedEvents, for which OpenAPI 3.1 has no words.
  const config = await createConfig({ extends: ["recommended"], rules: { "no-unused-components": "off" } });
  const found = (await lintFromString({ source: await openApi(), config })).filter(({ ruleId, location }) =>
    // Nobody is refused who asks for health.
    ruleId !== "operation-4xx-response" || !location.some(({ pointer }) => /healthz|readyz/.test(pointer ?? ""))
  );
  assert.deepEqual(
    found.map(({ severity, ruleId, message, location }) =>
      `${severity} ${ruleId}: ${message} at ${location.map(({ pointer }) => pointer).join()}`
    ),
    [],
  );
});

Deno.test("every operation has an id of its own, and tags that are explained", async () => {
  const { paths, tags } = documentSchema.parse(JSON.parse(await openApi()));
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  const named = new Set(operations.flatMap(({ tags }) => tags));
  assert.deepEqual([...named].filter((name) => !tags.some((tag) => tag.name === name)), []);
});

Deno.test("the paths of GET /openapi.json are below the path of PUBLIC_URL", async () => {
  for (
    const [publicUrl, url] of [["http://localhost:3200", "/"], ["https://example.com/in%20let", "/in%20let"]] as const
  ) {
    const app = createRouter();
    describeApi(app, publicUrl);
    const { servers } = documentSchema.pick({ servers: true }).parse(await (await app.request("/openapi.json")).json());
    assert.deepEqual(servers, [{ url }]);
  }
});
