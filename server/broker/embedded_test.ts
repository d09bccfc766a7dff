import assert from "node:assert/strict";
import type { SerializedEvent } from "../deps.ts";
import { someEvent } from "../../tests/support/events.ts";
import { embeddedExchange } from "./embedded.ts";

const eventOf = (id: string, type: string) => someEvent({ id, type });

Deno.test("the embedded exchange gives each binding the events that match, in order", async () => {
  const exchange = embeddedExchange();
  const seen: Record<string, string[]> = { all: [], things: [], made: [] };
  const keep = (name: string) => (events: readonly SerializedEvent[]) =>
    void seen[name]?.push(...events.map(({ event }) => event.id));
  exchange.bind("#", keep("all"));
  exchange.bind("sample.thing.*", keep("things"));
  exchange.bind("*.*.made", keep("made"));
  const events = [
    eventOf("1", "sample.thing.made"),
    eventOf("2", "sample.note.made"),
    eventOf("3", "sample.thing.lost"),
  ];
  assert.deepEqual(await exchange.publish(events), { published: 3, unrouted: 0, queued: 0 });
  assert.deepEqual(seen, { all: ["1", "2", "3"], things: ["1", "3"], made: ["1", "2"] });
});

Deno.test("the embedded exchange counts events that nobody is bound for", async () => {
  const exchange = embeddedExchange();
  const end = exchange.bind("sample.thing.*", () => {});
  const events = [eventOf("1", "sample.thing.made"), eventOf("2", "sample.note.made")];
  assert.deepEqual(await exchange.publish(events), { published: 2, unrouted: 1, queued: 0 });
  end();
  assert.deepEqual(await exchange.publish(events), { published: 2, unrouted: 2, queued: 0 });
  assert.equal(exchange.unrouted(), 3);
});
