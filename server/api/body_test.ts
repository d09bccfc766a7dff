import assert from "node:assert/strict";
import { BodyInterruptedError, BodyTimeoutError, BodyTooLargeError, BusyError } from "../errors.ts";
import { readBody } from "./body.ts";
import { BodyMemory } from "./body_memory.ts";

const terms = { maxBodyBytes: 4_000_000, bodyTimeoutMs: 60_000 };

/** A POST of `body`, with the length that it declares. */
function post(body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>, declared?: number): Request {
  const headers = declared === undefined ? {} : { "content-length": String(declared) };
  return new Request("http://localhost/", { method: "POST", headers, body });
}

/** A body that begins with `bytes` and then never goes on. */
function stuck(bytes: number): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(bytes)) });
}

function inChunks(body: Uint8Array<ArrayBuffer>, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= body.length) return controller.close();
      controller.enqueue(body.slice(at, at += size));
    },
  });
}

for (const length of [0, 1, 65_536, 65_537, 300_000, 3_999_999, 4_000_000]) {
  for (const declared of [length, undefined]) {
    Deno.test(`readBody reads ${length} bytes, ${declared === undefined ? "not " : ""}declared, and takes as many`, async () => {
      const body = new Uint8Array(length).map((_, index) => index % 251);
      const memory = new BodyMemory(8_000_000);
      const room = memory.room();
      assert.deepEqual(await readBody(post(inChunks(body, 50_000), declared), terms, room), body);
      assert.equal(memory.takenBytes, length);
    });
  }
}

for (const [what, declared] of [["small", 1000], ["large", 1_000_000], ["undeclared", undefined]] as const) {
  Deno.test(`readBody gives up a ${what} body that does not go on`, async () => {
    const memory = new BodyMemory(8_000_000);
    await assert.rejects(
      readBody(post(stuck(500), declared), { ...terms, bodyTimeoutMs: 5 }, memory.room()),
      (error: Error) => error instanceof BodyTimeoutError && error.message.includes("BODY_TIMEOUT"),
    );
  });
}

Deno.test("readBody takes room for what arrives, not for what is declared", async () => {
  const memory = new BodyMemory(4_000_000);
  const liars = Array.from({ length: 64 }, () => memory.room());
  const reads = liars.map((room) => readBody(post(stuck(1000), 3_000_000), { ...terms, bodyTimeoutMs: 50 }, room));
  const body = new Uint8Array(2_000_000);
  assert.equal((await readBody(post(body, body.length), terms, memory.room())).length, body.length);
  await Promise.allSettled(reads);
  assert.equal(memory.takenBytes, 64 * 1000 + body.length);
});

Deno.test("readBody stops reading a body that finds no room", async () => {
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1000)),
    cancel: () => {
      cancelled = true;
    },
  });
  await assert.rejects(readBody(post(endless), terms, new BodyMemory(100_000).room()), BusyError);
  assert.ok(cancelled);
  await assert.rejects(readBody(post(new Uint8Array(2000), 2000), terms, new BodyMemory(1000).room()), BusyError);
});

Deno.test("readBody refuses a body over the limit, and one that ends early", async () => {
  const room = () => new BodyMemory(100_000_000).room();
  await assert.rejects(readBody(post(new Uint8Array(1), 4_000_001), terms, room()), BodyTooLargeError);
  await assert.rejects(readBody(post(inChunks(new Uint8Array(4_000_001), 90_000)), terms, room()), BodyTooLargeError);
  await assert.rejects(readBody(post(new Uint8Array(100_000), 100_001), terms, room()), BodyInterruptedError);
});
