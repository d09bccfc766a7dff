import assert from "node:assert/strict";
import { BusyError } from "../errors.ts";
import { BodyMemory } from "./body_memory.ts";

Deno.test("BodyMemory refuses what does not fit, and takes it once another body is done", () => {
  const memory = new BodyMemory(1000);
  const first = memory.room();
  const second = memory.room();
  first.take(600, false);
  assert.throws(() => second.take(401, false), BusyError);
  second.take(400, false);
  assert.equal(memory.takenBytes, 1000);
  first[Symbol.dispose]();
  second.take(600, false);
  assert.equal(memory.takenBytes, 1000);
  second[Symbol.dispose]();
  assert.equal(memory.takenBytes, 0);
});

Deno.test("BodyMemory keeps a quarter for small bodies", () => {
  const memory = new BodyMemory(1000);
  const large = memory.room();
  large.take(750, true);
  assert.throws(() => large.take(1, true), BusyError);
  assert.throws(() => memory.room().take(1, true), BusyError);
  memory.room().take(250, false);
  assert.throws(() => memory.room().take(1, false), BusyError);
});

Deno.test("BodyMemory counts all of a body as large from when it is", () => {
  const memory = new BodyMemory(1000);
  const growing = memory.room();
  growing.take(500, false);
  growing.take(250, true);
  assert.throws(() => growing.take(1, true), BusyError);
  growing[Symbol.dispose]();
  memory.room().take(750, true);
});

Deno.test("BodyMemory gives a room back once, however often it is disposed of", () => {
  const memory = new BodyMemory(1000);
  const other = memory.room();
  other.take(300, true);
  const room = memory.room();
  room.take(100, true);
  room[Symbol.dispose]();
  room[Symbol.dispose]();
  assert.equal(memory.takenBytes, 300);
});
