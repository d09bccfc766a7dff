import assert from "node:assert/strict";
import { someEvent } from "../../tests/support/events.ts";
import { BrokerUnavailableError, EventRefusedError, EventTooLargeError } from "../errors.ts";
import { Troubles } from "./troubles.ts";

const HERE = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const ELSEWHERE = "9f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const nacked = new EventRefusedError("Cannot publish: the queue is full", false);
const closed = new EventRefusedError("Cannot publish: PRECONDITION_FAILED", true);
const away = new BrokerUnavailableError("Cannot publish: no connection");

/** Troubles over a clock that the test moves on. */
function withClock() {
  let now = Date.parse("2026-01-02T03:04:05Z");
  const troubles = new Troubles(() => new Date(now), { first: 200, most: 5000 });
  const events = Array.from({ length: 4 }, () => someEvent());
  const idOf = (index: number) => events[index]?.event.id ?? "";
  const failing = (error: Error, ...indexes: number[]) => new Map(indexes.map((index) => [idOf(index), error]));
  /** Waits out the pause and gives its length. */
  const wait = () => {
    const waitMs = troubles.waitMs(HERE);
    now += waitMs;
    return waitMs;
  };
  const setBack = (ms: number) => now -= ms;
  return { troubles, events, idOf, failing, wait, setBack };
}

Deno.test("what fails is tried again after pauses that double up to a limit, and others are not held up", () => {
  const { troubles, events, failing, wait } = withClock();
  const pauses = Array.from({ length: 8 }, () => {
    assert.equal(troubles.judge(HERE, events, failing(away, 1, 2)).size, 0);
    assert.equal(troubles.waitMs(ELSEWHERE), 0);
    return wait();
  });
  assert.deepEqual(pauses, [200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
  troubles.judge(HERE, events, new Map());
  troubles.judge(HERE, events, failing(away, 3));
  assert.equal(wait(), 200, "a success ends the trouble");
});

Deno.test("a clock that is set back makes no pause longer", () => {
  const { troubles, events, failing, wait, setBack } = withClock();
  troubles.judge(HERE, events, failing(away, 0));
  setBack(3_600_000);
  assert.equal(wait(), 0);
  troubles.judge(HERE, events, failing(away, 0));
  assert.equal(wait(), 400);
});

Deno.test("a broker that is away is no reason to give an event up, however long", () => {
  const { troubles, events, failing, wait } = withClock();
  for (let attempt = 0; attempt < 1000; attempt++) {
    assert.equal(troubles.judge(HERE, events, failing(away, 0, 1, 2, 3)).size, 0);
    wait();
  }
});

Deno.test("where no confirm came, one event is tried again, and the others when that is confirmed", () => {
  const { troubles, events, failing } = withClock();
  troubles.judge(HERE, events, failing(away, 0, 1, 2, 3));
  assert.equal(troubles.isCareful(HERE), true);
  troubles.judge(HERE, events.slice(0, 1), failing(away, 0));
  assert.equal(troubles.isCareful(HERE), true);
  troubles.judge(HERE, events.slice(0, 1), new Map());
  assert.equal(troubles.isCareful(HERE), false);
});

Deno.test("an event that a queue refuses is tried alone for some minutes, then given up, and no other with it", () => {
  const { troubles, events, idOf, failing, wait } = withClock();
  assert.equal(troubles.judge(HERE, events, failing(nacked, 1, 2)).size, 0);
  let waitedMs = 0;
  let tries = 1;
  for (;; tries++) {
    assert.equal(troubles.isCareful(HERE), true);
    waitedMs += wait();
    const dead = troubles.judge(HERE, events.slice(1, 2), failing(nacked, 1));
    if (dead.size === 0) continue;
    assert.deepEqual([...dead], [[idOf(1), nacked.message]]);
    break;
  }
  assert.equal(tries, 59);
  assert.ok(waitedMs > 4 * 60_000 && waitedMs < 6 * 60_000, `${waitedMs} ms`);
  assert.equal(troubles.waitMs(HERE), 0);
});

Deno.test("a channel that is closed over one of several events is traced to that one", () => {
  const { troubles, events, idOf, failing, wait } = withClock();
  assert.equal(troubles.judge(HERE, events, failing(closed, 0, 1, 2, 3)).size, 0);
  wait();
  for (const index of [0, 1]) {
    assert.equal(troubles.isCareful(HERE), true);
    assert.equal(troubles.judge(HERE, events.slice(index, index + 1), new Map()).size, 0);
    assert.equal(troubles.waitMs(HERE), 0);
  }
  for (let attempt = 0; attempt < 2; attempt++) {
    assert.equal(troubles.judge(HERE, events.slice(2, 3), failing(closed, 2)).size, 0);
    wait();
  }
  assert.deepEqual([...troubles.judge(HERE, events.slice(2, 3), failing(closed, 2)).keys()], [idOf(2)]);
  troubles.judge(HERE, events.slice(3), new Map());
  assert.equal(troubles.isCareful(HERE), false, "then all go together again");
});

Deno.test("an event that is larger than the broker takes is given up at once", () => {
  const { troubles, events, idOf, failing } = withClock();
  const dead = troubles.judge(HERE, events, failing(new EventTooLargeError("Cannot publish: too large"), 1, 3));
  assert.deepEqual([...dead.keys()], [idOf(1), idOf(3)]);
  assert.equal(troubles.waitMs(HERE), 0);
});
