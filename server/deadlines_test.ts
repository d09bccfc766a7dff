import assert from "node:assert/strict";
import { deadline } from "./deadlines.ts";

Deno.test("what does not come in time is told of, in the order of the deadlines", async () => {
  const late: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  deadline(20, () => {
    late.push("long");
    resolve();
  });
  for (const name of ["a", "b"]) deadline(5, () => late.push(name));
  await promise;
  assert.deepEqual(late, ["a", "b", "long"]);
});

Deno.test("what comes in time is not told of, and leaves no timer behind", async () => {
  const late: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const comes = [deadline(5, () => late.push("first")), deadline(5, () => late.push("second"))];
  deadline(5, resolve);
  for (const cancel of comes) cancel();
  await promise;
  assert.equal(late.length, 0);
  // Else the test runner finds the timer.
  deadline(60_000, () => late.push("never"))();
});

Deno.test("a deadline can be set by what is told of one, and ending it late does nothing", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const others: string[] = [];
  const cancel = deadline(2, () => {
    deadline(2, () => {
      others.push("third");
      resolve();
    });
  });
  await new Promise((resolve) => setTimeout(resolve, 1));
  deadline(2, () => others.push("second"));
  await promise;
  cancel();
  assert.deepEqual(others, ["second", "third"]);
});

Deno.test("one that is late does not keep the next from being told", async () => {
  const late: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  deadline(3, () => late.push("first"));
  await new Promise((resolve) => setTimeout(resolve, 1));
  deadline(3, () => {
    late.push("second");
    resolve();
  });
  await promise;
  assert.deepEqual(late, ["first", "second"]);
});
