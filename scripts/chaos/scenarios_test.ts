import assert from "node:assert/strict";
import { scenarios, stepsOf } from "./scenarios.ts";

const first = (seed: number, count: number) =>
  stepsOf(seed).take(count).map(({ fault, quietMs }) => ({ fault, quietMs })).toArray();

Deno.test("stepsOf gives the same steps for the same seed, and others for another", () => {
  assert.deepEqual(first(7, 50), first(7, 50));
  assert.notDeepEqual(first(7, 50), first(8, 50));
});

Deno.test("stepsOf chooses every fault that the machine allows everywhere", () => {
  const names = new Set(first(1, 2000).map(({ fault }) => fault));
  const expected = scenarios.filter(({ name, smallDisk }) => name !== "no-fault" && !smallDisk);
  assert.deepEqual([...names].sort(), expected.map(({ name }) => name).sort());
});

Deno.test("each scenario has a name of its own", () => {
  assert.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length);
});
