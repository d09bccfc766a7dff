import assert from "node:assert/strict";
import { Contender, interleave } from "./contender.ts";

Deno.test("interleave measures contenders in turns, when each has warmed up", async () => {
  const turns: string[] = [];
  const lines: string[] = [];
  const make = (name: string) =>
    new Contender({
      name,
      measure: (seconds) => Promise.resolve(turns.push(`${name} ${seconds}`)),
      warmUp: () => Promise.resolve(turns.push(`${name} warms up`)),
      show: (sample) => `took ${sample}`,
    });
  const [a, b] = [make("a"), make("b")];
  await interleave([a, b], { rounds: 2, seconds: 7, say: (line) => lines.push(line.trim()) });
  assert.deepEqual(turns, ["a warms up", "b warms up", "a 7", "b 7", "a 7", "b 7"]);
  assert.deepEqual([a.samples, b.samples], [[3, 5], [4, 6]]);
  assert.deepEqual([lines.length, lines[0]], [4, "round 1 of 2, a: took 3"]);
});
