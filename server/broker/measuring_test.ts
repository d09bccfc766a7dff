import assert from "node:assert/strict";
import { someEvent } from "../../tests/support/events.ts";
import type { Exchange } from "../deps.ts";
import { BrokerUnavailableError, EventTooLargeError } from "../errors.ts";
import { noMeter } from "../../tests/support/meter.ts";
import { embeddedExchange } from "./embedded.ts";
import { measuringExchange } from "./measuring.ts";

function measured(publish?: Exchange["publish"]): { exchange: Exchange; told: (string | number)[][] } {
  const told: (string | number)[][] = [];
  const embedded = embeddedExchange();
  const exchange = measuringExchange({ ...embedded, publish: publish ?? embedded.publish }, {
    ...noMeter,
    confirmed(events, durationMs) {
      assert.ok(durationMs >= 0);
      told.push(["confirmed", events]);
    },
    unconfirmed: (events) => told.push(["unconfirmed", events]),
  });
  return { exchange, told };
}

Deno.test("measuringExchange tells how many events were confirmed together", async () => {
  const { exchange, told } = measured();
  assert.deepEqual(await exchange.publish([someEvent(), someEvent()]), { published: 2, unrouted: 2, queued: 0 });
  await exchange.publish([]);
  assert.deepEqual(told, [["confirmed", 2]]);
  assert.equal(exchange.unrouted(), 2);
});

Deno.test("measuringExchange tells of a broker that does not confirm, with what it did confirm", async () => {
  const { exchange, told } = measured(() =>
    Promise.reject(new BrokerUnavailableError("Cannot publish: away", { confirmed: new Set(["a"]) }))
  );
  await assert.rejects(exchange.publish([someEvent(), someEvent()]), { name: "BrokerUnavailableError" });
  assert.deepEqual(told, [["unconfirmed", 1]]);
});

Deno.test("measuringExchange holds an event that is too large against no broker", async () => {
  const { exchange, told } = measured(() => Promise.reject(new EventTooLargeError("Cannot publish: too large")));
  await assert.rejects(exchange.publish([someEvent()]), { name: "EventTooLargeError" });
  assert.deepEqual(told, []);
});
