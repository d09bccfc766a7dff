import assert from "node:assert/strict";
import { SAMPLE_SECRET, sampleDelivery } from "../../tests/support/sample.ts";
import { TestService } from "../../tests/support/service.ts";
import { createSealer } from "../crypto/seal.ts";
import { connectorConfigStore } from "../store/connector_configs.ts";
import { keys } from "../store/keys.ts";

const UNKNOWN_WORKSPACE = "11111111-1111-1111-1111-111111111111";

Deno.test("GET /connectors lists the manifests", async () => {
  await using service = await TestService.start();
  const [manifest, ...others] = await (await service.app.request("/connectors")).json();
  assert.equal(others.length, 0);
  assert.equal(manifest.id, "sample");
  assert.equal(manifest.name, "Sample");
  assert.equal(manifest.type, "webhook");
  assert.deepEqual(manifest.triggers, ["sample.thing.made", "sample.note.made"]);
});

Deno.test("GET /connectors/:id gives manifest and JSON Schemas", async () => {
  await using service = await TestService.start();
  const { manifest, configSchema, secretsSchema } = await (await service.app.request("/connectors/sample")).json();
  assert.equal(manifest.id, "sample");
  for (const schema of [configSchema, secretsSchema]) {
    assert.equal(schema.$schema, "https://json-schema.org/draft/2020-12/schema");
    assert.equal(schema.type, "object");
  }
  assert.equal(configSchema.properties.shout.default, false);
  assert.equal(configSchema.required, undefined, "what has a default or is optional may be left out");
  assert.deepEqual(secretsSchema.required, ["signingSecret"]);
});

Deno.test("a connector that nobody configured is off, without secrets and without a URL", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const response = await service.app.request(`/connectors/sample/config?workspaceId=${workspaceId}`);
  assert.deepEqual(await response.json(), {
    enabled: false,
    hasSecrets: false,
    webhookUrl: null,
    config: {},
    poller: null,
  });
});

Deno.test("settings that are damaged are told of, and replaced by a change that is whole", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const whole = { workspaceId, enabled: true, config: { shout: true }, secrets: { signingSecret: SAMPLE_SECRET } };
  const configure = (change: Record<string, unknown>) => service.post("/connectors/sample/configure", change);
  const { webhookUrl: former } = await (await configure(whole)).json();
  const key = keys.connectorConfig(workspaceId, "sample");
  const stored = new TextDecoder().decode(
    (await service.kv.get<Uint8Array>(key)).value ?? assert.fail("it is not there"),
  );
  const damaged = stored.replace(/.{8}"}$/, 'AAAAAAA="}');
  for (const value of [damaged, "{}", stored.slice(0, -3)]) {
    await service.kv.set(key, new TextEncoder().encode(value));
    const view = await (await service.app.request(`/connectors/sample/config?workspaceId=${workspaceId}`)).json();
    assert.deepEqual([view.enabled, view.hasSecrets, view.webhookUrl], [false, false, null]);
    assert.match(
      view.problem,
      /^Cannot read the settings of sample in the store \(.*\)\. Restore a backup, or save them anew/,
    );
    assert.doesNotMatch(view.problem, /\n/);
    const { config: _, ...partial } = whole;
    for (const part of [partial, { ...partial, enabled: false, secrets: {} }]) {
      const refused = await configure(part);
      assert.deepEqual([refused.status, (await refused.json()).detail], [409, view.problem]);
    }
    assert.equal((await configure({ ...whole, secrets: {} })).status, 422, "the secret is gone");
    const { webhookUrl } = await (await configure(whole)).json();
    assert.notEqual(webhookUrl, former);
    const response = await service.app.request(new URL(webhookUrl).pathname, {
      method: "POST",
      ...sampleDelivery(["hello"]),
    });
    assert.deepEqual(await response.json(), { ok: true, published: 1 });
  }
});

Deno.test("settings that another key sealed are told of, and never replaced: the key may come back", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const sealer = await createSealer(new Uint8Array(32).fill(1));
  const configs = connectorConfigStore(service.kv, sealer);
  const settings = { config: {}, secrets: { signingSecret: SAMPLE_SECRET }, webhookToken: "a token" };
  const ids = { workspaceId, connectorId: "sample" };
  await configs.save({ ...ids, enabled: true, ...settings, retiring: null, retiringToken: null }, null);
  const { problem } = await (await service.app.request(`/connectors/sample/config?workspaceId=${workspaceId}`)).json();
  assert.match(problem, /sealed with another key\)\. Put the key .* into ENCRYPTION_KEYS_OLD$/);
  const change = { workspaceId, enabled: true, config: {}, secrets: { signingSecret: SAMPLE_SECRET } };
  assert.equal((await service.post("/connectors/sample/configure", change)).status, 409);
  assert.equal((await configs.get(workspaceId, "sample"))?.value.webhookToken, "a token");
});

Deno.test("configure saves, and gives an opaque URL that stays the same", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const change = { workspaceId, enabled: true, config: { shout: true }, secrets: { signingSecret: SAMPLE_SECRET } };
  const response = await service.post("/connectors/sample/configure", change);
  assert.equal(response.status, 200);
  const { ok, webhookUrl } = await response.json();
  assert.equal(ok, true);
  assert.match(webhookUrl, /^http:\/\/localhost:3200\/webhooks\/sample\/[\w-]{43}$/);
  assert.ok(!webhookUrl.includes(workspaceId));

  const again = await service.post("/connectors/sample/configure", { workspaceId, enabled: false });
  assert.equal((await again.json()).webhookUrl, webhookUrl);
  const view = await service.app.request(`/connectors/sample/config?workspaceId=${workspaceId}`);
  assert.deepEqual(await view.json(), {
    enabled: false,
    hasSecrets: true,
    webhookUrl,
    config: { shout: true },
    poller: null,
  });
});

Deno.test("configure says what it expected of a body, of settings and of a parameter, in plain words", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const errorsOf = async (response: Response) => (await response.json()).errors;
  const configure = (body: unknown) => service.post("/connectors/sample/configure", body);
  assert.deepEqual(await errorsOf(await configure({ workspaceId: 5, enabled: "yes", config: [], more: 1 })), [
    { pointer: "/workspaceId", detail: "must be a UUID" },
    { pointer: "/enabled", detail: "expected true or false, not a text" },
    { pointer: "/config", detail: "expected an object, not a list" },
    { pointer: "/more", detail: "is not known here" },
  ]);
  assert.deepEqual(
    await errorsOf(await configure({ workspaceId, enabled: false, config: { shout: "loud", label: 5 } })),
    [
      { pointer: "/config/shout", detail: "expected true or false, not a text" },
      { pointer: "/config/label", detail: "expected a text, not a number" },
    ],
  );
  assert.deepEqual(await errorsOf(await service.app.request("/connectors/sample/config")), [
    { parameter: "workspaceId", detail: "is required" },
  ]);
});

Deno.test("configure replaces config whole, keeps absent secrets and clears null ones", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const configure = (change: Record<string, unknown>) =>
    service.post("/connectors/sample/configure", { workspaceId, ...change });
  const view = async () =>
    await (await service.app.request(`/connectors/sample/config?workspaceId=${workspaceId}`)).json();

  await configure({ enabled: true, config: { shout: true, label: "a" }, secrets: { signingSecret: SAMPLE_SECRET } });
  await configure({ enabled: true, config: { label: "b" }, secrets: { spare: "another" } });
  assert.deepEqual((await view()).config, { label: "b" });
  assert.equal((await configure({ enabled: true, secrets: { spare: null } })).status, 200, "signingSecret was kept");

  const refused = await configure({ enabled: true, secrets: { signingSecret: null } });
  assert.equal(refused.status, 422);
  assert.deepEqual((await refused.json()).errors, [{ pointer: "/secrets/signingSecret", detail: "is required" }]);
  assert.equal((await view()).hasSecrets, true, "a refused change leaves everything as it was");

  assert.equal((await configure({ enabled: false, secrets: { signingSecret: null } })).status, 200);
  assert.equal((await view()).hasSecrets, false);
});

Deno.test("15 configures at once all hold: one URL, and the last write whole", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const responses = await Promise.all(
    Array.from({ length: 15 }, (_, index) =>
      service.post("/connectors/sample/configure", {
        workspaceId,
        enabled: true,
        config: { label: `${index}` },
        secrets: { signingSecret: SAMPLE_SECRET },
      })),
  );
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
  const urls = await Promise.all(responses.map(async (response) => (await response.json()).webhookUrl));
  assert.equal(new Set(urls).size, 1);
});

Deno.test("no response holds a secret", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const secret = "correct horse battery staple";
  const change = { workspaceId, enabled: true, config: { shout: "no" }, secrets: { signingSecret: secret } };
  const bodies = [
    await (await service.post("/connectors/sample/configure", change)).text(),
    await (await service.post("/connectors/sample/configure", { ...change, config: {} })).text(),
    await (await service.post("/connectors/sample/configure", { ...change, secrets: { spare: "abc" } })).text(),
    await (await service.app.request(`/connectors/sample/config?workspaceId=${workspaceId}`)).text(),
    await (await service.app.request("/connectors/sample")).text(),
  ];
  assert.ok(bodies[1]?.includes('"ok":true'), "the secret was stored");
  for (const body of bodies) assert.ok(!body.includes(secret));
});

Deno.test("a disabled connector's URL answers like an unknown one, and works again when enabled", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const path = await service.enableSample(workspaceId);
  const deliver = () => service.app.request(path, { method: "POST", ...sampleDelivery(["hello"]) });
  assert.equal((await deliver()).status, 200);
  await service.post("/connectors/sample/configure", { workspaceId, enabled: false });
  const disabled = await deliver();
  const unknown = await service.app.request("/webhooks/sample/unknown", { method: "POST", body: "{}" });
  assert.equal(disabled.status, 404);
  assert.equal(await disabled.text(), await unknown.text());
  await service.post("/connectors/sample/configure", { workspaceId, enabled: true });
  assert.equal((await deliver()).status, 200);
});

for (
  const [what, path, status] of [
    ["an unknown connector", "/connectors/nope", 404],
    ["an unknown connector's config", `/connectors/nope/config?workspaceId=${UNKNOWN_WORKSPACE}`, 404],
    ["an unknown workspace's config", `/connectors/sample/config?workspaceId=${UNKNOWN_WORKSPACE}`, 404],
    ["a config without a workspaceId", "/connectors/sample/config", 422],
    ["a config with a workspaceId that is no UUID", "/connectors/sample/config?workspaceId=acme", 422],
  ] as const
) {
  Deno.test(`GET of ${what} is ${status}`, async () => {
    await using service = await TestService.start();
    const response = await service.app.request(path);
    assert.equal(response.status, status);
    assert.equal(response.headers.get("content-type"), "application/problem+json");
    const problem = await response.json();
    assert.equal(problem.status, status);
    if (status === 422) assert.equal(problem.errors[0].parameter, "workspaceId");
  });
}

Deno.test("configure refuses what does not fit, with each fault's place, and stores nothing", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const faultsOf = async (body: unknown) => {
    const response = await service.post("/connectors/sample/configure", body);
    assert.equal(response.status, 422);
    return (await response.json()).errors.map((error: { pointer: string }) => error.pointer);
  };
  assert.deepEqual(await faultsOf({}), ["/workspaceId", "/enabled"]);
  assert.deepEqual(await faultsOf({ workspaceId: 1, enabled: "yes", config: [], secrets: 3 }), [
    "/workspaceId",
    "/enabled",
    "/config",
    "/secrets",
  ]);
  assert.deepEqual(
    await faultsOf({ workspaceId, enabled: true, config: { shout: 1, "a/b": 2 }, secrets: { signingSecret: "short" } }),
    ["/config/shout", "/config/a~1b", "/secrets/signingSecret"],
  );
  assert.deepEqual(await Array.fromAsync(service.kv.list({ prefix: ["connector_config"] })), []);
});

Deno.test("configure of an unknown connector or workspace is 404", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  assert.equal((await service.post("/connectors/nope/configure", { workspaceId, enabled: false })).status, 404);
  const elsewhere = { workspaceId: UNKNOWN_WORKSPACE, enabled: false };
  assert.equal((await service.post("/connectors/sample/configure", elsewhere)).status, 404);
});

Deno.test("renewing the URL makes the old one unknown and keeps everything else", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  await assert.rejects(service.dashboard.settings.renewUrl(workspaceId, "sample"), /configure it first/);
  const old = await service.enableSample(workspaceId, { label: "a" });
  const renewed = new URL(await service.dashboard.settings.renewUrl(workspaceId, "sample")).pathname;
  assert.notEqual(renewed, old);
  const deliver = (path: string) => service.app.request(path, { method: "POST", ...sampleDelivery(["hello"]) });
  assert.equal((await deliver(old)).status, 404);
  assert.equal((await deliver(renewed)).status, 200);
  const view = await service.app.request(`/connectors/sample/config?workspaceId=${workspaceId}`);
  assert.deepEqual((await view.json()).config, { label: "a" });
});

Deno.test("a thousand faults are answered with the first hundred", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const config = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`unknown${index}`, 1]));
  const response = await service.post("/connectors/sample/configure", { workspaceId, enabled: false, config });
  assert.equal((await response.json()).errors.length, 100);
});

Deno.test("a workspaceId is one in upper case as well", async () => {
  await using service = await TestService.start();
  const workspaceId = (await service.setUp()).toUpperCase();
  assert.equal((await service.app.request(`/connectors/sample/config?workspaceId=${workspaceId}`)).status, 200);
});
