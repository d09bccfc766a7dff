import assert from "node:assert/strict";
import { someEvent } from "../../tests/support/events.ts";
import { TestService } from "../../tests/support/service.ts";
import { createSealer } from "../crypto/seal.ts";
import type { SerializedEvent } from "../deps.ts";
import { spoolStore } from "../store/spool.ts";

/** A service with a dead letter for each of `events`, oldest first. */
async function withDeadLetters(service: TestService, events: readonly SerializedEvent[]): Promise<void> {
  const sealer = await createSealer(new Uint8Array(32));
  const spool = spoolStore(service.kv, { sealer, limitBytes: 1e9, dedupeWindowMs: 0, now: () => new Date() });
  for (const event of events) {
    await spool.append([event]);
    const claim = await spool.claim() ?? assert.fail();
    const [entry = assert.fail()] = await claim.oldest(event.event.workspaceId);
    await claim.settle([{ entry, left: [], dead: [{ event, reason: "Cannot publish: too odd" }] }]);
    await claim.release();
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
  for (const wrong of ["", "?workspaceId=acme", `?workspaceId=${workspaceId}&limit=0`]) {
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
