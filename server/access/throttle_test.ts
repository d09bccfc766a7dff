import assert from "node:assert/strict";
import { FailureThrottle } from "./throttle.ts";

Deno.test("FailureThrottle lets an address fail ten times, then once every ten seconds", () => {
  let now = 0;
  const throttle = new FailureThrottle(() => new Date(now));
  for (let failure = 0; failure < 10; failure++) {
    assert.equal(throttle.waitMs("a"), 0);
    throttle.failed("a");
  }
  assert.equal(throttle.waitMs("a"), 10_000);
  assert.equal(throttle.waitMs("b"), 0, "another address is not slowed");
  now += 9_999;
  assert.equal(throttle.waitMs("a"), 1);
  now += 1;
  assert.equal(throttle.waitMs("a"), 0);
  throttle.failed("a");
  assert.equal(throttle.waitMs("a"), 10_000);
  now += 100_000;
  for (let failure = 0; failure < 10; failure++) {
    assert.equal(throttle.waitMs("a"), 0, "it has all ten again");
    throttle.failed("a");
  }
  assert.ok(throttle.waitMs("a") > 0);
});

Deno.test("FailureThrottle does not unlock when the clock is set back", () => {
  let now = 1_000_000;
  const throttle = new FailureThrottle(() => new Date(now));
  for (let failure = 0; failure < 10; failure++) throttle.failed("a");
  now = 0;
  assert.ok(throttle.waitMs("a") > 0);
});

Deno.test("FailureThrottle forgets the oldest of very many addresses, not the newest", () => {
  const throttle = new FailureThrottle(() => new Date(0));
  for (let failure = 0; failure < 10; failure++) throttle.failed("first");
  for (let address = 0; address < 10_000; address++) throttle.failed(String(address));
  for (let failure = 0; failure < 10; failure++) throttle.failed("last");
  assert.equal(throttle.waitMs("first"), 0);
  assert.ok(throttle.waitMs("last") > 0);
});
