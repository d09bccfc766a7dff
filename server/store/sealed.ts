import type { Sealer, SerializedEvent } from "../deps.ts";
import type { z } from "zod";
import { changeRecords, type LeaveOut } from "./change.ts";

/** Seals events together, as JSON, for the place that `context` names: that costs a twentieth of sealing each. */
export async function sealJson(sealer: Sealer, events: readonly SerializedEvent[], context: string): Promise<string> {
  // JSON as it is serialized here has no line breaks.
  const plain = new TextEncoder().encode(events.map(({ json }) => json).join("\n"));
  return (await sealer.seal(plain, context)).toBase64();
}

/**
 * Opens what {@link sealJson} sealed: the JSON of each event.
 *
 * @throws {EncryptionKeyError} if it was sealed with another key or for another place
 */
export async function unsealJson(sealer: Sealer, sealed: string, context: string): Promise<string[]> {
  const plain = await sealer.unseal(Uint8Array.fromBase64(sealed), context);
  return new TextDecoder().decode(plain).split("\n");
}

/** What can be sealed with the present key where it was sealed with an old one. */
export interface Resealing {
  /**
   * Gives how many were.
   *
   * @throws {StoreError} if one cannot be read, and no `leaveOut` is to be told
   */
  reseal(leaveOut?: LeaveOut): Promise<number>;
}

/**
 * Seals with the present key what was sealed with an old one; `undefined` if it was sealed with the present one.
 *
 * @param sealed Sealed bytes in base64.
 * @throws {EncryptionKeyError} if it was sealed with an unknown key or for another place
 */
export async function sealAnew(sealer: Sealer, sealed: string, context: string): Promise<string | undefined> {
  const bytes = Uint8Array.fromBase64(sealed);
  if (sealer.isCurrent(bytes)) return undefined;
  return (await sealer.seal(await sealer.unseal(bytes, context), context)).toBase64();
}

/** What {@link resealRecords} works with. */
export interface ResealParts<T> {
  readonly sealer: Sealer;
  readonly leaveOut: LeaveOut | undefined;
  /** What a record's value is sealed for. */
  contextOf(value: T, key: Deno.KvKey): string;
  /** For records that expire: how much longer they have. */
  leftMs?(key: Deno.KvKey): number;
}

/** Seals anew the field `sealed` of the records below `prefix`, as {@link Resealing.reseal} promises. */
export function resealRecords<T extends { readonly sealed: string }>(
  kv: Deno.Kv,
  prefix: Deno.KvKey,
  schema: z.ZodType<T>,
  { sealer, leaveOut, contextOf, leftMs }: ResealParts<T>,
): Promise<number> {
  return changeRecords(kv, prefix, schema, {
    leaveOut,
    async change(value, key) {
      const sealed = await sealAnew(sealer, value.sealed, contextOf(value, key));
      if (sealed === undefined) return undefined;
      return { value: { ...value, sealed }, ...leftMs && { expireInMs: leftMs(key) } };
    },
  });
}
