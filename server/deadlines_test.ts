import assert from "node:assert/strict";
import { deadline } from "./deadlines.ts";

/** Lets a millisecond pass in which no timer fires, however late it is. */
function passMillisecond(): void {
  for (const until = performance.now() + 1; performance.now() < until;);
}

Deno.test("what does not come in time is told of, in the order of the deadlines", async () => {
  const late: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  deadline(200, () => {
    late.push("long");
    resolve();
  });
  for (const name of ["a", "b"]) deadline(5, () => late.push(name));
  await promise;
  assert.deepEqual(late, ["a", "b", "long"]);
});

Deno.test("what comes in time is not told of", async () => {
  const late: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const comes = [deadline(5, () => late.push("first")), deadline(5, () => late.push("second"))];
  deadline(5, resolve);
  for (const cancel of comes) cancel();
  await promise;
  assert.equal(late.length, 0);
});

Deno.test("what comes in time leaves no timer behind", { sanitizeOps: true, sanitizeResources: true }, () => {
  deadline(60_000, () => assert.fail("it came"))();
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
  passMillisecond();
  deadline(2, () => others.push("second"));
  await promise;
  cancel();
  assert.deepEqual(others, ["second", "third"]);
});

Deno.test("one that is late does not keep the next from being told", async () => {
  const late: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  deadline(3, () => late.push("first"));
  passMillisecond();
  deadline(3, () => {
    late.push("second");
    resolve();
  });
  await promise;
  assert.deepEqual(late, ["first", "second"]);
});
