import assert from "node:assert/strict";
import type { AcceptedDeliveries } from "../deps.ts";
import { acceptedDeliveries } from "../store/accepted.ts";
import { createOnce } from "./once.ts";

const A = { workspaceId: "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11", id: "a" };
const B = { ...A, id: "b" };

async function withAccepted(run: (accepted: AcceptedDeliveries) => Promise<void>): Promise<void> {
  using kv = await Deno.openKv(":memory:");
  await run(acceptedDeliveries(kv, { windowMs: 86_400_000, now: () => new Date() }));
}

Deno.test("a delivery is accepted once, also after a restart", () =>
  withAccepted(async (accepted) => {
    const accept = async () => {
      await accepted.record(A);
      return "taken";
    };
    assert.equal(await createOnce(accepted).attempt(A, accept), "taken");
    assert.equal(await createOnce(accepted).attempt(A, accept), undefined);
    assert.equal(await createOnce(accepted).attempt(B, accept), "taken");
  }));

Deno.test("of many copies at the same moment one is accepted, and the others wait for it", () =>
  withAccepted(async (accepted) => {
    const once = createOnce(accepted);
    const confirmed = Promise.withResolvers<void>();
    let taken = 0;
    const copies = Array.from({ length: 10 }, () =>
      once.attempt(A, async () => {
        taken++;
        await confirmed.promise;
        await accepted.record(A);
        return "taken";
      }));
    assert.equal(await once.attempt(B, () => Promise.resolve("another")), "another", "others are not held up");
    confirmed.resolve();
    assert.deepEqual((await Promise.all(copies)).filter((outcome) => outcome !== undefined), ["taken"]);
    assert.equal(taken, 1);
  }));

Deno.test("a try that failed is none: the copy that waited is tried", () =>
  withAccepted(async (accepted) => {
    const once = createOnce(accepted);
    const failed = Promise.withResolvers<never>();
    const started = Promise.withResolvers<void>();
    const first = once.attempt(A, () => {
      started.resolve();
      return failed.promise;
    });
    const second = once.attempt(A, async () => {
      await accepted.record(A);
      return "taken";
    });
    await started.promise;
    failed.reject(new Error("no confirm"));
    await assert.rejects(first, /no confirm/);
    assert.equal(await second, "taken");
    assert.equal(await once.attempt(A, () => Promise.resolve("again")), undefined);
  }));

Deno.test("where nothing is recorded every copy is accepted", async () => {
  const once = createOnce(undefined);
  for (let copy = 0; copy < 3; copy++) assert.equal(await once.attempt(A, () => Promise.resolve(copy)), copy);
});
