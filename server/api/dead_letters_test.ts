import assert from "node:assert/strict";
import { someEvent } from "../../tests/support/events.ts";
import { TestService } from "../../tests/support/service.ts";
import { createSealer } from "../crypto/seal.ts";
import type { Sealer, SerializedEvent, Spool } from "../deps.ts";
import { keys } from "../store/keys.ts";
import { spoolStore } from "../store/spool.ts";

const SEALER = await createSealer(new Uint8Array(32));

/** What the service has in its spool. */
function spoolOf(service: TestService, sealer: Sealer): Spool {
  return spoolStore(service.kv, { sealer, limitBytes: 1e9, dedupeWindowMs: 0, now: () => new Date() });
}

/** Takes all that waits for the broker of a workspace out of the spool, in order; `dead`: as dead letters. */
async function takeAll(
  service: TestService,
  workspaceId: string,
  { dead, sealer = SEALER }: { dead: boolean; sealer?: Sealer },
): Promise<string[]> {
  const claim = await spoolOf(service, sealer).claim() ?? assert.fail();
  const taken: string[] = [];
  for (;;) {
    const entries = await claim.oldest(workspaceId);
    if (entries.length === 0) break;
    taken.push(...entries.flatMap(({ events }) => events.map(({ event }) => event.id)));
    await claim.settle(entries.map((entry) => ({
      entry,
      left: [],
      dead: dead ? entry.events.map((event) => ({ event, reason: "Cannot publish: too odd" })) : [],
    })));
  }
  await claim.release();
  return taken;
}

/** Gives a workspace a dead letter for each of `events`, oldest first. */
async function withDeadLetters(
  service: TestService,
  events: readonly SerializedEvent[],
  sealer = SEALER,
): Promise<void> {
  const spool = spoolOf(service, sealer);
  for (const event of events) await spool.append([event]);
  for (const id of new Set(events.map(({ event }) => event.workspaceId))) {
    await takeAll(service, id, { dead: true, sealer });
  }
}

Deno.test("dead letters are listed newest first, page by page, with reason and without payload", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const events = Array.from({ length: 3 }, () => someEvent({ workspaceId, text: "a telling payload" }));
  await withDeadLetters(service, events);
  const path = `/dead-letters?workspaceId=${workspaceId}`;
  const response = await service.app.request(path);
  assert.equal(response.status, 200);
  const text = await response.text();
  assert.ok(!text.includes("telling"));
  const letters = JSON.parse(text);
  const idsOf = (list: { eventId: string }[]) => list.map(({ eventId }) => eventId);
  assert.deepEqual(idsOf(letters), events.map(({ event }) => event.id).reverse());
  assert.deepEqual(Object.keys(letters[0]).sort(), ["at", "bytes", "eventId", "id", "reason", "type"]);
  const rest = await (await service.app.request(`${path}&limit=1&before=${letters[1].id}`)).json();
  assert.deepEqual(idsOf(rest), [events[0]?.event.id]);
  const inUpperCase = await service.app.request(`${path}&before=${letters[1].id.toUpperCase()}`);
  assert.deepEqual(idsOf(await inUpperCase.json()), [events[0]?.event.id]);
  const limits = ["0", "201", "1e1", "0x10", "1.0", " 1"].map((limit) => `?workspaceId=${workspaceId}&limit=${limit}`);
  for (const wrong of ["", "?workspaceId=acme", ...limits]) {
    assert.equal((await service.app.request(`/dead-letters${wrong}`)).status, 422);
  }
});

Deno.test("a dead letter is retried or discarded once, and is unknown then", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  await withDeadLetters(service, [someEvent({ workspaceId }), someEvent({ workspaceId })]);
  const [newer, older] = await (await service.app.request(`/dead-letters?workspaceId=${workspaceId}`)).json();
  const act = async (id: string, action: string) =>
    (await service.app.request(`/dead-letters/${id}/${action}?workspaceId=${workspaceId}`, { method: "POST" })).status;
  assert.deepEqual([await act(newer.id, "retry"), await act(newer.id, "retry")], [200, 404]);
  assert.deepEqual([await act(older.id, "discard"), await act(older.id, "discard")], [200, 404]);
  assert.deepEqual(await service.dashboard.deadLetters.list(workspaceId, { limit: 10 }), []);
  const waiting = await Array.fromAsync(service.kv.list({ prefix: ["spool"] }));
  assert.equal(waiting.length, 1, "what is retried waits for the broker");
});

Deno.test("all dead letters are retried, oldest first, but for those that were set aside since", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const other = await (await service.post("/workspaces", { workspaceName: "Other" })).json();
  const events = Array.from({ length: 5 }, () => someEvent({ workspaceId }));
  await withDeadLetters(service, [...events, someEvent({ workspaceId: other.workspaceId })]);
  const list = async (of = workspaceId) => await (await service.app.request(`/dead-letters?workspaceId=${of}`)).json();
  const [, upTo] = await list();
  const retry = async (query: string) => {
    const response = await service.app.request(`/dead-letters/retry?${query}`, { method: "POST" });
    return [response.status, await response.json()];
  };
  assert.deepEqual(await retry(`workspaceId=${workspaceId}&upTo=${upTo.id}`), [200, {
    ok: true,
    retried: 4,
    more: false,
  }]);
  assert.deepEqual((await list()).map(({ eventId }: { eventId: string }) => eventId), [events[4]?.event.id]);
  assert.equal(await service.dashboard.deadLetters.count(workspaceId), 1);
  assert.deepEqual((await retry(`workspaceId=${workspaceId}`))[1], { ok: true, retried: 1, more: false });
  assert.deepEqual((await retry(`workspaceId=${workspaceId}`))[1], { ok: true, retried: 0, more: false });
  assert.equal((await list(other.workspaceId)).length, 1);
  assert.deepEqual(await takeAll(service, workspaceId, { dead: false }), events.map(({ event }) => event.id));
  for (const [query, status] of [["", 422], [`workspaceId=${workspaceId}&upTo=x`, 422]] as const) {
    assert.equal((await retry(query))[0], status);
  }
  assert.equal((await retry(`workspaceId=${crypto.randomUUID()}`))[0], 404);
});

Deno.test("a dead letter that cannot be read keeps none of the others from being retried", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const [lost, damaged, ...others] = Array.from({ length: 4 }, () => someEvent({ workspaceId }));
  assert.ok(lost && damaged);
  const sealer = await createSealer(new Uint8Array(32).fill(1));
  await withDeadLetters(service, [lost], sealer);
  await withDeadLetters(service, [damaged, ...others]);
  const [, { key } = assert.fail()] = await Array.fromAsync(service.kv.list({ prefix: keys.deadLetters() }));
  await service.kv.set(key, "nonsense");
  const retry = () => service.app.request(`/dead-letters/retry?workspaceId=${workspaceId}`, { method: "POST" });
  assert.deepEqual(await (await retry()).json(), { ok: true, retried: 2, more: false });
  assert.deepEqual(await takeAll(service, workspaceId, { dead: false }), others.map(({ event }) => event.id));
  assert.equal((await retry()).status, 500, "whoever asks until there are no more is told");
});

Deno.test("at most a thousand dead letters are retried with one request, and each once by several", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  await withDeadLetters(service, Array.from({ length: 1020 }, () => someEvent({ workspaceId })));
  const retry = async (): Promise<{ retried: number; more: boolean }> =>
    await (await service.app.request(`/dead-letters/retry?workspaceId=${workspaceId}`, { method: "POST" })).json();
  assert.deepEqual(await retry(), { ok: true, retried: 1000, more: true });
  const [first, second] = await Promise.all([retry(), retry()]);
  assert.equal(first.retried + second.retried, 20);
  assert.equal(new Set(await takeAll(service, workspaceId, { dead: false })).size, 1020);
});

Deno.test("what a removed workspace had in the spool counts no more", async () => {
  await using service = await TestService.start();
  await service.setUp();
  const other = await (await service.post("/workspaces", { workspaceName: "Other" })).json();
  await withDeadLetters(service, [someEvent({ workspaceId: other.workspaceId })]);
  assert.equal((await service.app.request(`/workspaces/${other.workspaceId}`, { method: "DELETE" })).status, 200);
  for (const room of ["spool", "spool_size", "dead_letter"]) {
    assert.deepEqual(await Array.fromAsync(service.kv.list({ prefix: [room] })), []);
  }
});
