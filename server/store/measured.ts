import type { Meter } from "../metering.ts";

/** Has every read and commit of `kv` measured from now on, and gives it back. Lists and watches are not: they go on. */
export function measured(kv: Deno.Kv, meter: Pick<Meter, "stored">): Deno.Kv {
  async function timed<T>(operation: "read" | "commit", run: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await run();
    } finally {
      meter.stored(operation, performance.now() - begun);
    }
  }

  const get = kv.get.bind(kv);
  const getMany = kv.getMany.bind(kv);
  const set = kv.set.bind(kv);
  const remove = kv.delete.bind(kv);
  const atomic = kv.atomic.bind(kv);
  kv.get = (...args) => timed("read", () => get(...args));
  kv.getMany = (...args) => timed("read", () => getMany(...args));
  kv.set = (...args) => timed("commit", () => set(...args));
  kv.delete = (...args) => timed("commit", () => remove(...args));
  kv.atomic = () => {
    const operation = atomic();
    const commit = operation.commit.bind(operation);
    operation.commit = () => timed("commit", commit);
    return operation;
  };
  return kv;
}
