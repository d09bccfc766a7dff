import assert from "node:assert/strict";
import { Turns } from "./turns.ts";

/** Longer than any test: only the end of work frees its place. */
const FOR_EVER_MS = 2 ** 31 - 1;

/** Work that notes its name when it begins, and ends when it is told to. */
class Begun {
  readonly names: string[] = [];
  readonly #ends = new Map<string, () => void>();

  work(name: string): () => Promise<void> {
    return () => {
      this.names.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#ends.set(name, resolve);
      return promise;
    };
  }

  /** Ends work that has begun, until the next has. */
  async end(...names: readonly string[]): Promise<void> {
    for (const name of names) this.#ends.get(name)?.();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Enqueues `a1`, `a2`, `b1`: of workspace `a` the first and the second, and so on. */
function takeAll(turns: Turns, begun: Begun, names: readonly string[]): void {
  for (const name of names) turns.take(name.slice(0, 1), name, begun.work(name));
}

Deno.test("Turns begins as much as there are places, and the next where one ends", async () => {
  const turns = new Turns({ places: 2, placeMs: FOR_EVER_MS });
  const begun = new Begun();
  takeAll(turns, begun, ["a1", "b1", "c1", "d1"]);
  assert.deepEqual(begun.names, ["a1", "b1"]);
  await begun.end("b1");
  assert.deepEqual(begun.names, ["a1", "b1", "c1"]);
  await begun.end("a1", "c1");
  await begun.end("d1");
  await turns.idle();
  assert.deepEqual(begun.names, ["a1", "b1", "c1", "d1"]);
});

Deno.test("Turns lets the workspaces take turns, whoever came first with how much", async () => {
  const turns = new Turns({ places: 1, placeMs: FOR_EVER_MS });
  const begun = new Begun();
  takeAll(turns, begun, ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]);
  for (const name of ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]) await begun.end(name);
  await turns.idle();
  assert.deepEqual(begun.names, ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

Deno.test("Turns gives the place of work that hangs to the next", async () => {
  const turns = new Turns({ places: 1, placeMs: 1 });
  const begun = new Begun();
  const ended = Promise.withResolvers<void>();
  takeAll(turns, begun, ["a1"]);
  turns.take("b", "b1", () => {
    ended.resolve();
    return Promise.resolve();
  });
  await ended.promise;
  await begun.end("a1");
  await turns.idle();
});

Deno.test("Turns counts the place of work that hung once, though it ends later", async () => {
  const turns = new Turns({ places: 1, placeMs: 1 });
  const begun = new Begun();
  const second = Promise.withResolvers<void>();
  takeAll(turns, begun, ["a1"]);
  turns.take("b", "b1", () => Promise.resolve(second.resolve()));
  await second.promise;
  await begun.end("a1");
  await turns.idle();
  const [running, most] = [new Set<string>(), new Set<number>()];
  for (const name of ["a", "b", "c", "d"]) {
    turns.take(name, name, async () => {
      most.add(running.add(name).size);
      await Promise.resolve();
      running.delete(name);
    });
  }
  await turns.idle();
  assert.deepEqual([...most], [1]);
});

Deno.test("Turns lets nothing wait twice under one name, and drops what is not wanted any more", async () => {
  const turns = new Turns({ places: 1, placeMs: FOR_EVER_MS });
  const begun = new Begun();
  takeAll(turns, begun, ["a1", "b1", "b1", "c1", "d1"]);
  turns.drop("c");
  await begun.end("a1");
  await begun.end("b1");
  turns.drop();
  await begun.end("d1");
  await turns.idle();
  assert.deepEqual(begun.names, ["a1", "b1", "d1"]);
});
