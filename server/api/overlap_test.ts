/** Secrets and URLs that are replaced with an overlap: both the old and the new are accepted for the time that was asked. */
import assert from "node:assert/strict";
import { z } from "zod";
import { definePoller } from "../../connectors/kit/mod.ts";
import { createSealer } from "../crypto/seal.ts";
import { connectorConfigStore } from "../store/connector_configs.ts";
import { SAMPLE_SECRET, sampleDelivery } from "../../tests/support/sample.ts";
import { TestService } from "../../tests/support/service.ts";
import { sign } from "../../tests/support/sign.ts";

const START = Date.parse("2026-01-02T03:00:00.000Z");
const HOUR_MS = 3_600_000;
const NEW_SECRET = "another secret of the sample source";
const THIRD_SECRET = "the third secret of the sample source";

/** A service whose clock is set by hand, with the sample connector enabled. */
class Overlapping implements AsyncDisposable {
  private constructor(
    readonly service: TestService,
    readonly workspaceId: string,
    readonly path: string,
    private readonly clock: { at: number },
  ) {}

  static async start(): Promise<Overlapping> {
    const clock = { at: START };
    const service = await TestService.start({ now: () => new Date(clock.at) });
    const workspaceId = await service.setUp();
    return new Overlapping(service, workspaceId, await service.enableSample(workspaceId), clock);
  }

  /** Sets the clock to `ms` after the start. */
  at(ms: number): void {
    this.clock.at = START + ms;
  }

  async post(action: string, change: Record<string, unknown>): Promise<Response> {
    return await this.service.post(`/connectors/sample/${action}`, { workspaceId: this.workspaceId, ...change });
  }

  async replaceSecret(signingSecret: string, keepOldSecretsFor?: string): Promise<void> {
    const change = { enabled: true, secrets: { signingSecret }, keepOldSecretsFor };
    const response = await this.post("configure", change);
    assert.equal(response.status, 200, await response.text());
  }

  async renewUrl(keepOldFor?: string): Promise<string> {
    const response = await this.post("renew-url", { keepOldFor });
    const { ok, webhookUrl } = await response.json();
    assert.deepEqual([response.status, ok], [200, true]);
    return new URL(webhookUrl).pathname;
  }

  /** The status of a delivery that is signed with `secret`. */
  async deliver(secret: string, path: string = this.path): Promise<number> {
    const { headers, body } = sampleDelivery(["hello"]);
    headers["x-sample-signature"] = `sha256=${sign(secret, body)}`;
    return (await this.service.app.request(path, { method: "POST", headers, body })).status;
  }

  async retiringUntil(): Promise<unknown> {
    const path = `/connectors/sample/config?workspaceId=${this.workspaceId}`;
    return (await (await this.service.app.request(path)).json()).retiringUntil;
  }

  async changes(): Promise<[string, string][]> {
    const response = await this.service.app.request(`/audit?workspaceId=${this.workspaceId}`);
    return (await response.json()).map(({ action, detail }: { action: string; detail: string }) => [action, detail]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service[Symbol.asyncDispose]();
  }
}

Deno.test("a replaced secret is void at once unless it is to be kept", async () => {
  await using it = await Overlapping.start();
  await it.replaceSecret(NEW_SECRET);
  assert.deepEqual([await it.deliver(SAMPLE_SECRET), await it.deliver(NEW_SECRET)], [401, 200]);
  await it.replaceSecret(THIRD_SECRET, "0");
  assert.deepEqual([await it.deliver(NEW_SECRET), await it.deliver(THIRD_SECRET)], [401, 200]);
  assert.equal(await it.retiringUntil(), undefined);
});

Deno.test("a replaced secret that is kept is accepted until its time is over, and what neither signed is not", async () => {
  await using it = await Overlapping.start();
  await it.replaceSecret(NEW_SECRET, "1h");
  assert.deepEqual(await it.retiringUntil(), { secrets: "2026-01-02T04:00:00.000Z" });
  it.at(HOUR_MS - 1);
  assert.deepEqual([await it.deliver(SAMPLE_SECRET), await it.deliver(NEW_SECRET)], [200, 200]);
  assert.equal(await it.deliver("somebody else's secret"), 401);
  it.at(HOUR_MS);
  assert.deepEqual([await it.deliver(SAMPLE_SECRET), await it.deliver(NEW_SECRET)], [401, 200]);
  assert.equal(await it.retiringUntil(), undefined);
});

Deno.test("saving other settings, or the same secret again, leaves the overlap as it is", async () => {
  await using it = await Overlapping.start();
  await it.replaceSecret(NEW_SECRET, "1h");
  it.at(1000);
  await it.replaceSecret(NEW_SECRET, "24h");
  await it.post("configure", { enabled: true, config: { shout: true }, secrets: { spare: "another" } });
  assert.deepEqual(await it.retiringUntil(), { secrets: "2026-01-02T04:00:00.000Z" });
  assert.equal(await it.deliver(SAMPLE_SECRET), 200);
  const details = (await it.changes()).slice(0, 2).map(([, detail]) => detail);
  assert.deepEqual(details, ["shout, spare set", "signingSecret set"], "the account does not tell of another overlap");
});

Deno.test("what is over leaves the store with the next save", async () => {
  await using it = await Overlapping.start();
  const store = connectorConfigStore(it.service.kv, await createSealer(new Uint8Array(32)));
  const stored = async () => (await store.get(it.workspaceId, "sample"))?.value;
  for (const save of [() => it.renewUrl(), () => it.post("configure", { enabled: true })]) {
    it.at(0);
    await it.replaceSecret((await stored())?.secrets.signingSecret === NEW_SECRET ? THIRD_SECRET : NEW_SECRET, "1h");
    assert.ok((await stored())?.retiring);
    it.at(HOUR_MS);
    await save();
    assert.equal((await stored())?.retiring, null);
  }
});

Deno.test("of three secrets only the last two are ever accepted", async () => {
  await using it = await Overlapping.start();
  await it.replaceSecret(NEW_SECRET, "7d");
  await it.replaceSecret(THIRD_SECRET, "1h");
  const all = [SAMPLE_SECRET, NEW_SECRET, THIRD_SECRET];
  assert.deepEqual(await Promise.all(all.map((secret) => it.deliver(secret))), [401, 200, 200]);
  await it.replaceSecret(SAMPLE_SECRET);
  assert.deepEqual(await Promise.all(all.map((secret) => it.deliver(secret))), [200, 401, 401]);
});

Deno.test("the old URL is known until its time is over, and the one before it is not", async () => {
  await using it = await Overlapping.start();
  const second = await it.renewUrl("24h");
  assert.deepEqual(await it.retiringUntil(), { url: "2026-01-03T03:00:00.000Z" });
  assert.deepEqual([await it.deliver(SAMPLE_SECRET), await it.deliver(SAMPLE_SECRET, second)], [200, 200]);
  const third = await it.renewUrl("1h");
  assert.deepEqual([await it.deliver(SAMPLE_SECRET), await it.deliver(SAMPLE_SECRET, second)], [404, 200]);
  it.at(HOUR_MS);
  assert.deepEqual([await it.deliver(SAMPLE_SECRET, second), await it.deliver(SAMPLE_SECRET, third)], [404, 200]);
  const fourth = await it.renewUrl();
  assert.deepEqual([await it.deliver(SAMPLE_SECRET, third), await it.deliver(SAMPLE_SECRET, fourth)], [404, 200]);
});

Deno.test("an overlap is ended by a request, of the secrets, of the URL or of both", async () => {
  await using it = await Overlapping.start();
  const begin = async (secret: string) => {
    await it.replaceSecret(secret, "1h");
    return await it.renewUrl("1h");
  };
  const url = await begin(NEW_SECRET);
  assert.deepEqual(await (await it.post("end-overlap", { of: "secrets" })).json(), { ok: true });
  assert.deepEqual([await it.deliver(SAMPLE_SECRET), await it.deliver(NEW_SECRET)], [401, 200]);
  assert.equal((await it.post("end-overlap", { of: "url" })).status, 200);
  assert.deepEqual([await it.deliver(NEW_SECRET), await it.deliver(NEW_SECRET, url)], [404, 200]);

  const again = await begin(THIRD_SECRET);
  assert.equal((await it.post("end-overlap", {})).status, 200);
  assert.equal(await it.retiringUntil(), undefined);
  assert.deepEqual([await it.deliver(NEW_SECRET, again), await it.deliver(THIRD_SECRET, url)], [401, 404]);
  assert.equal((await it.post("end-overlap", {})).status, 200, "there is none to end");
});

Deno.test("turning the connector off ends both overlaps, also for when it is on again", async () => {
  await using it = await Overlapping.start();
  await it.replaceSecret(NEW_SECRET, "1h");
  const url = await it.renewUrl("1h");
  await it.post("configure", { enabled: false });
  assert.equal(await it.retiringUntil(), undefined);
  await it.post("configure", { enabled: true });
  assert.deepEqual([await it.deliver(NEW_SECRET), await it.deliver(SAMPLE_SECRET, url)], [404, 401]);
  assert.equal(await it.deliver(NEW_SECRET, url), 200);
});

Deno.test("removing the workspace ends both overlaps", async () => {
  await using it = await Overlapping.start();
  await it.replaceSecret(NEW_SECRET, "1h");
  const url = await it.renewUrl("1h");
  await it.service.app.request(`/workspaces/${it.workspaceId}`, { method: "DELETE" });
  assert.deepEqual([await it.deliver(SAMPLE_SECRET), await it.deliver(SAMPLE_SECRET, url)], [404, 404]);
});

const replaced = { enabled: true, secrets: { signingSecret: NEW_SECRET } };
for (
  const [what, action, change, pointer] of [
    [
      "old secrets for longer than 30 days",
      "configure",
      { ...replaced, keepOldSecretsFor: "31d" },
      "/keepOldSecretsFor",
    ],
    [
      "old secrets of a connector that is off",
      "configure",
      { ...replaced, enabled: false, keepOldSecretsFor: "1h" },
      "/keepOldSecretsFor",
    ],
    ["old secrets for no duration", "configure", { ...replaced, keepOldSecretsFor: "a while" }, "/keepOldSecretsFor"],
    ["old secrets for a number", "configure", { ...replaced, keepOldSecretsFor: 1 }, "/keepOldSecretsFor"],
    ["the old URL for longer than 30 days", "renew-url", { keepOldFor: "721h" }, "/keepOldFor"],
    ["the old URL for no duration", "renew-url", { keepOldFor: "-1h" }, "/keepOldFor"],
    ["what there is not", "end-overlap", { of: "everything" }, "/of"],
  ] as const
) {
  Deno.test(`to keep or end ${what} is 422, and changes nothing`, async () => {
    await using it = await Overlapping.start();
    const response = await it.post(action, change);
    assert.equal(response.status, 422);
    assert.deepEqual((await response.json()).errors.map((error: { pointer: string }) => error.pointer), [pointer]);
    assert.deepEqual([await it.deliver(SAMPLE_SECRET), await it.deliver(NEW_SECRET)], [200, 401]);
    assert.equal(await it.retiringUntil(), undefined);
  });
}

Deno.test("a URL is not kept while the connector is off, and cannot be renewed before there is one", async () => {
  await using it = await Overlapping.start();
  await it.post("configure", { enabled: false });
  const refused = await it.post("renew-url", { keepOldFor: "1h" });
  assert.equal(refused.status, 422);
  assert.match((await refused.json()).errors[0].detail, /while the connector is off/);
  assert.notEqual(await it.renewUrl(), it.path);

  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  assert.equal((await service.post("/connectors/sample/renew-url", { workspaceId })).status, 409);
  assert.equal((await service.post("/connectors/nothing/renew-url", { workspaceId })).status, 404);
});

Deno.test("the time is 30 days at most, to the millisecond", async () => {
  await using it = await Overlapping.start();
  await it.replaceSecret(NEW_SECRET, "30d");
  assert.deepEqual(await it.retiringUntil(), { secrets: "2026-02-01T03:00:00.000Z" });
  assert.equal((await it.post("renew-url", { keepOldFor: "2592000001ms" })).status, 422);
});

Deno.test("a poller has one set of secrets", async () => {
  const poller = definePoller({
    id: "polled",
    name: "Polled",
    description: "A poller for tests",
    documentationUrl: "https://example.com",
    payloads: {},
    descriptions: {},
    config: {},
    secrets: { password: z.string() },
    cursor: z.null(),
    poll: () => Promise.resolve({ drafts: [], cursor: null }),
  });
  await using service = await TestService.start({ connectors: [poller] });
  const workspaceId = await service.setUp();
  const change = { workspaceId, enabled: true, secrets: { password: "one" } };
  assert.equal((await service.post("/connectors/polled/configure", change)).status, 200);
  const kept = { ...change, secrets: { password: "two" }, keepOldSecretsFor: "1h" };
  const response = await service.post("/connectors/polled/configure", kept);
  assert.equal(response.status, 422);
  assert.equal((await response.json()).errors[0].pointer, "/keepOldSecretsFor");
  assert.equal((await service.post("/connectors/polled/configure", { ...kept, keepOldSecretsFor: "0" })).status, 200);
});

Deno.test("secrets that were saved incomplete while the connector was off are not kept: they proved nothing", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const configure = (change: unknown) => service.post("/connectors/sample/configure", change);
  await configure({ workspaceId, enabled: false, secrets: { spare: "first" } });
  const secrets = { signingSecret: SAMPLE_SECRET, spare: "second" };
  assert.equal((await configure({ workspaceId, enabled: true, secrets, keepOldSecretsFor: "1h" })).status, 200);
  const { retiringUntil } = await service.dashboard.settings.view(workspaceId, "sample");
  assert.equal(retiringUntil.secrets, null);
});

Deno.test("the account of changes tells what is accepted until when, and when that was ended, without a secret", async () => {
  await using it = await Overlapping.start();
  await it.replaceSecret(NEW_SECRET, "1h");
  await it.renewUrl("24h");
  await it.post("end-overlap", {});
  await it.post("end-overlap", {});
  await it.renewUrl();
  const changes = await it.changes();
  assert.deepEqual(changes.slice(0, 4), [
    ["made a new webhook URL for", ""],
    ["configured", "accepted no more: the old secrets, the old URL"],
    ["made a new webhook URL for", "the old URL accepted until 2026-01-03T03:00:00.000Z"],
    ["configured", "signingSecret set, the old secrets accepted until 2026-01-02T04:00:00.000Z"],
  ]);
  assert.ok(!JSON.stringify(changes).includes(NEW_SECRET) && !JSON.stringify(changes).includes(SAMPLE_SECRET));
});
