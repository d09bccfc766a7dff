import assert from "node:assert/strict";
import { PollError } from "../../connectors/kit/mod.ts";
import { sample } from "../../tests/support/sample.ts";
import { closedGate, SAMPLE_PASSWORD, SampleSource } from "../../tests/support/sample_poller.ts";
import { TestService } from "../../tests/support/service.ts";
import { keys } from "../store/keys.ts";

const UNKNOWN_WORKSPACE = "11111111-1111-1111-1111-111111111111";

async function start(source: SampleSource) {
  const clock = { now: new Date("2026-03-02T12:00:00.000Z") };
  const service = await TestService.start({ connectors: [sample, source.connector()], now: () => clock.now });
  const workspaceId = await service.setUp();
  return {
    clock,
    service,
    workspaceId,
    configure: (enabled: boolean) =>
      service.post("/connectors/things/configure", { workspaceId, enabled, secrets: { password: SAMPLE_PASSWORD } }),
    poll: (body: Record<string, unknown> = {}) => service.post("/connectors/things/poll", { workspaceId, ...body }),
    status: async () => {
      const response = await service.app.request(`/connectors/things/config?workspaceId=${workspaceId}`);
      const { webhookUrl, poller } = await response.json();
      assert.equal(webhookUrl, null, "nobody calls a poller");
      return poller;
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

Deno.test("POST /connectors/:id/poll polls now, publishes, counts, and says how many", async () => {
  const source = new SampleSource();
  await using polled = await start(source);
  assert.deepEqual(await (await polled.configure(true)).json(), { ok: true, webhookUrl: null });
  assert.deepEqual(await (await polled.poll()).json(), { ok: true, published: 0 });
  source.things.push("a", "b");
  const response = await polled.poll();
  assert.deepEqual([response.status, await response.json()], [200, { ok: true, published: 2 }]);
  assert.deepEqual(polled.service.published.map(({ event }) => [event.type, event.source, event.payload]), [
    ["things.thing.made", "things", { text: "a" }],
    ["things.thing.made", "things", { text: "b" }],
  ]);
  const [activity] = await polled.service.dashboard.activity(polled.workspaceId);
  assert.deepEqual([activity?.connectorId, activity?.perMinute.at(-1), activity?.refusal], ["things", 2, null]);
  assert.deepEqual(await polled.service.dashboard.deliveries(polled.workspaceId, { limit: 9 }), []);
  assert.deepEqual(await (await polled.poll({ startAnew: true })).json(), { ok: true, published: 0 });
  const [newest] = await (await polled.service.app.request(`/audit?workspaceId=${polled.workspaceId}`)).json();
  assert.deepEqual([newest.action, newest.subject, newest.detail], [
    "polled",
    "things",
    "from now on, forgetting what came before",
  ]);
});

Deno.test("a poller whose state cannot be read says so, and what to do, and begins anew where that is asked for", async () => {
  const source = new SampleSource();
  await using polled = await start(source);
  await polled.configure(true);
  await polled.poll();
  await polled.service.kv.set(keys.pollerState(polled.workspaceId, "things"), new TextEncoder().encode("{}"));
  const { lastError, nextRunAt } = await polled.status();
  assert.match(lastError, /^Cannot poll things: where its last poll ended cannot be read in the store .* start anew/s);
  assert.equal(nextRunAt, "2026-03-02T12:00:00.000Z");
  const refused = await polled.poll();
  assert.deepEqual([refused.status, (await refused.json()).detail], [409, lastError]);
  assert.deepEqual(await (await polled.poll({ startAnew: true })).json(), { ok: true, published: 0 });
  assert.equal((await polled.status()).lastError, null);
});

Deno.test("GET /connectors/:id/config tells how the polling of a poller goes", async () => {
  const source = new SampleSource();
  await using polled = await start(source);
  const none = { lastRunAt: null, nextRunAt: null, lastError: null, failures: 0, lagMs: null };
  assert.deepEqual(await polled.status(), none);
  await polled.configure(true);
  assert.deepEqual(await polled.status(), { ...none, nextRunAt: "2026-03-02T12:00:00.000Z" });
  await polled.service.scheduler.tick();
  await polled.service.scheduler.idle();
  const after = { lastRunAt: "2026-03-02T12:00:00.000Z", nextRunAt: "2026-03-02T12:05:00.000Z" };
  assert.deepEqual(await polled.status(), { ...none, ...after, lagMs: 0 });

  polled.clock.now = new Date("2026-03-02T12:05:30.000Z");
  source.failure = new PollError("Cannot log in: the password is wrong");
  const response = await polled.poll();
  assert.equal(response.status, 502);
  assert.deepEqual(await response.json(), {
    type: "urn:inlet:problem:source-unavailable",
    title: "Source unavailable",
    status: 502,
    detail: "Cannot log in: the password is wrong",
  });
  const failed = { lastError: "Cannot log in: the password is wrong", failures: 1, lagMs: 330_000 };
  const retried = { lastRunAt: "2026-03-02T12:05:30.000Z", nextRunAt: "2026-03-02T12:10:00.000Z" };
  assert.deepEqual(await polled.status(), { ...failed, ...retried });
  await polled.configure(false);
  assert.deepEqual(await polled.status(), { ...failed, ...retried, nextRunAt: null }, "the state is kept while off");
});

Deno.test("POST /connectors/:id/poll refuses what cannot be polled, in words", async () => {
  const source = new SampleSource();
  await using polled = await start(source);
  const problem = async (response: Response) => [response.status, (await response.json()).detail];
  assert.deepEqual(await problem(await polled.poll()), [409, "Cannot poll Things: it is not enabled"]);
  await polled.configure(true);
  const { workspaceId, service } = polled;
  assert.deepEqual(await problem(await service.post("/connectors/sample/poll", { workspaceId })), [
    409,
    "Cannot poll Sample: it is a webhook connector, its source calls us",
  ]);
  assert.equal((await service.post("/connectors/nope/poll", { workspaceId })).status, 404);
  assert.equal((await polled.poll({ workspaceId: UNKNOWN_WORKSPACE })).status, 404);
  assert.equal((await polled.poll({ soon: true })).status, 422);
  assert.equal((await service.app.request("/connectors/things/poll", { method: "POST", body: "{}" })).status, 415);
  await assert.rejects(service.dashboard.settings.renewUrl(workspaceId, "things"), { name: "ConflictError" });

  const { gate, open } = closedGate();
  const started = Promise.withResolvers<void>();
  source.gate = gate;
  source.onPoll = () => started.resolve();
  const underWay = polled.poll();
  await started.promise;
  const [status, detail] = await problem(await polled.poll());
  assert.deepEqual([status, detail], [409, "Cannot poll Things: it is being polled at this moment"]);
  open();
  assert.equal((await underWay).status, 200);
});

Deno.test("DELETE /workspaces/:id ends a poll of it that is under way", async () => {
  const source = new SampleSource();
  source.gate = new Promise(() => {});
  const started = Promise.withResolvers<AbortSignal>();
  source.onPoll = (signal) => started.resolve(signal);
  await using polled = await start(source);
  await polled.configure(true);
  const asked = polled.poll();
  const signal = await started.promise;
  assert.equal(signal.aborted, false);
  const removed = await polled.service.app.request(`/workspaces/${polled.workspaceId}`, { method: "DELETE" });
  assert.equal(removed.status, 200);
  assert.match(signal.reason.message, /the workspace was removed/);
  assert.equal((await asked).status, 502);
});
