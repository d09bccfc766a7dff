import { z } from "zod";
import type { Lease, Leases } from "../poller/deps.ts";
import { keys } from "./keys.ts";
import { Records, type Write } from "./records.ts";
import { timeSchema } from "./time.ts";

/** Given back, a lease has no holder. */
const leaseSchema = z.object({ holder: z.string().nullable(), expiresAt: timeSchema });

/**
 * Clocks of several machines differ: a lease is taken from its holder only this long after it expired by our clock. If
 * they differ by more, two may work at once; the fence still lets only one of them write.
 */
const CLOCK_MARGIN_MS = 10_000;

/** Leases in Deno KV. Each has a record of when it expires, which renewing changes, and a fence, which it does not. */
export function leaseStore(kv: Deno.Kv, now: () => Date): Leases {
  const records = new Records(kv);
  const later = (ms: number) => new Date(now().getTime() + ms);

  function isHeld({ holder, expiresAt }: z.output<typeof leaseSchema>, ttlMs: number): boolean {
    if (holder === null || expiresAt <= later(-CLOCK_MARGIN_MS)) return false;
    // One that is to last longer was taken by a clock that was far ahead; nobody would get it until then.
    return expiresAt <= later(ttlMs + CLOCK_MARGIN_MS);
  }

  /** Writes what `holder` makes of its lease, again where it renewed it in between; `false` if it has it no more. */
  async function write(
    name: readonly string[],
    holder: string,
    writesOf: (expected: string) => readonly Write[],
  ): Promise<boolean> {
    for (;;) {
      const stored = await records.get(keys.lease(name), leaseSchema);
      if (stored?.value.holder !== holder) return false;
      if (await records.commit(writesOf(stored.version)) !== undefined) return true;
    }
  }

  async function release(name: readonly string[], holder: string): Promise<void> {
    await write(name, holder, (expected) => [
      { key: keys.lease(name), value: { holder: null, expiresAt: now() }, expected },
      { key: keys.leaseFence(name), value: null },
    ]);
  }

  async function renew(name: readonly string[], holder: string, ttlMs: number): Promise<boolean> {
    return await write(name, holder, (expected) => [
      { key: keys.lease(name), value: { holder, expiresAt: later(ttlMs) }, expected },
    ]);
  }

  return {
    async acquire(name, ttlMs): Promise<Lease | undefined> {
      const entry = await kv.get(keys.lease(name));
      // One that cannot be read is nobody's.
      const stored = await records.read(entry, leaseSchema);
      if (stored !== undefined && isHeld(stored, ttlMs)) return undefined;
      const holder = crypto.randomUUID();
      const fence = await records.commit([
        { key: keys.lease(name), value: { holder, expiresAt: later(ttlMs) }, expected: entry.versionstamp },
        { key: keys.leaseFence(name), value: holder },
      ]);
      if (fence === undefined) return undefined;
      return { name, fence, renew: () => renew(name, holder, ttlMs), release: () => release(name, holder) };
    },
  };
}
