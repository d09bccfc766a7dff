import assert from "node:assert/strict";
import { keys } from "./keys.ts";
import { lifetimeOf } from "./lifetimes.ts";

const RETENTIONS = {
  sessionLifetimeMs: 1000,
  dedupeWindowMs: 0,
  deliveryRetentionMs: 3000,
  journalRetentionMs: 4000,
  auditRetentionMs: 5000,
};

Deno.test("lifetimeOf gives what expires the time of its kind, with its chunks, and lets the rest stay", () => {
  const lifetimes = [
    keys.session("hash"),
    keys.accepted("w", "d"),
    keys.deliveryBody("w", "d"),
    keys.chunk(keys.deliveryBody("w", "d"), "generation", 0),
    keys.journalPosition("w", "e"),
    keys.journalWriter("w", "process"),
    keys.audit("id"),
    keys.connectorConfig("w", "github"),
    keys.chunk(keys.spoolEntry("w", 1), "generation", 0),
    keys.minute("w", "github", 1),
  ].map((key) => lifetimeOf(key, RETENTIONS));
  assert.deepEqual(lifetimes, [1000, 1, 3000, 3000, 4000, 4000, 5000, undefined, undefined, undefined]);
});
