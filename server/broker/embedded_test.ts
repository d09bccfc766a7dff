import assert from "node:assert/strict";
import { someEvent } from "../../tests/support/events.ts";
import { embeddedExchange } from "./embedded.ts";

Deno.test("the embedded exchange counts events as unrouted while nobody listens", async () => {
  const exchange = embeddedExchange();
  assert.deepEqual(await exchange.publish([someEvent()]), { published: 1, unrouted: 1, queued: 0 });
  const end = await exchange.live.subscribe(() => {});
  assert.deepEqual(await exchange.publish([someEvent()]), { published: 1, unrouted: 0, queued: 0 });
  end();
  assert.deepEqual(await exchange.publish([someEvent(), someEvent()]), { published: 2, unrouted: 2, queued: 0 });
  assert.equal(exchange.unrouted(), 3);
});

Deno.test("what is announced on the embedded exchange reaches each listener, in order, until it ends that", async () => {
  const { live } = embeddedExchange();
  const heard: string[][] = [[], []];
  const ends = await Promise.all(heard.map((ids) => {
    return live.subscribe((events) => void ids.push(...events.map(({ event }) => event.id)));
  }));
  live.announce([someEvent({ id: "a" }), someEvent({ id: "b" })]);
  ends[0]?.();
  live.announce([someEvent({ id: "c" })]);
  assert.deepEqual(heard, [["a", "b"], ["a", "b", "c"]]);
});
