import assert from "node:assert/strict";
import { TooManyRequestsError } from "./errors.ts";
import { RateLimit } from "./rate_limit.ts";

/** A limit of two a second, five at once, under a clock of the test's. */
function limited() {
  const clock = { ms: 1_000_000 };
  const limit = new RateLimit({ perSecond: 2, burst: 5, now: () => new Date(clock.ms) });
  const takeAll = (key: string, count: number) => {
    for (let taken = 0; taken < count; taken++) limit.take(key);
  };
  const waitMs = (key: string) => {
    try {
      limit.take(key);
      return 0;
    } catch (error) {
      return error instanceof TooManyRequestsError ? error.waitMs : assert.fail();
    }
  };
  return { clock, takeAll, waitMs };
}

Deno.test("RateLimit lets a burst through, then its rate, and says how long to wait", () => {
  const { clock, takeAll, waitMs } = limited();
  takeAll("a", 5);
  assert.equal(waitMs("a"), 500);
  clock.ms += 400;
  assert.equal(waitMs("a"), 100);
  clock.ms += 100;
  assert.equal(waitMs("a"), 0, "a refusal costs nothing of the share");
  assert.equal(waitMs("a"), 500);
  clock.ms += 3_600_000;
  takeAll("a", 5);
  assert.equal(waitMs("a"), 500, "a long pause gives no more than the burst");
});

Deno.test("RateLimit counts each key by itself", () => {
  const { takeAll, waitMs } = limited();
  takeAll("a", 5);
  takeAll("b", 5);
  assert.equal(waitMs("a"), 500);
});

Deno.test("RateLimit gains and loses nothing when the clock is set back", () => {
  const { clock, takeAll, waitMs } = limited();
  takeAll("a", 4);
  clock.ms -= 500_000;
  assert.equal(waitMs("a"), 0);
  assert.equal(waitMs("a"), 500);
  clock.ms -= 100_000;
  assert.equal(waitMs("a"), 500);
  clock.ms += 500;
  assert.equal(waitMs("a"), 0, "nor does a key that had its share wait until the clock is where it was");
});

Deno.test("RateLimit forgets the key that was not used for longest when there are very many", () => {
  const { takeAll, waitMs } = limited();
  takeAll("first", 5);
  takeAll("used", 4);
  for (let key = 0; key < 9_999; key++) takeAll(String(key), 1);
  takeAll("used", 1);
  takeAll("last", 5);
  assert.equal(waitMs("first"), 0, "it begins anew");
  assert.ok(waitMs("used") > 0);
  assert.ok(waitMs("last") > 0);
});
