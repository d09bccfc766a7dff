import { sweepChunksBelow } from "./chunks.ts";
import { keys } from "./keys.ts";

/**
 * Deletes chunks of large events that no record names, for an hour or longer: their writer was killed, or the disk was so
 * full that it could not delete them. Those of other records expire, or go when the record is written next.
 */
export async function sweepLeftovers(kv: Deno.Kv, now: () => Date): Promise<void> {
  for (const prefix of [keys.spool(), keys.deadLetters()]) await sweepChunksBelow(kv, prefix, now().getTime());
}
