import { z } from "zod";
import type { ApiKey, ApiKeyStore } from "../deps.ts";
import { StoreError } from "../errors.ts";
import { keys } from "./keys.ts";
import { Records } from "./records.ts";
import { timeSchema } from "./time.ts";
import { unlocked } from "./unlocked.ts";

const storedSchema = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  name: z.string(),
  scope: z.enum(["read", "manage"]),
  createdAt: timeSchema,
  hash: z.string(),
});
const placeSchema = z.object({ workspaceId: z.uuid(), id: z.uuid() });

/** The API keys in Deno KV, found by the hash of their secret. */
export function apiKeyStore(kv: Deno.Kv): ApiKeyStore {
  const records = new Records(kv);
  const without = ({ hash: _, ...key }: z.output<typeof storedSchema>): ApiKey => key;

  async function get(workspaceId: string, id: string) {
    return (await records.get(keys.apiKey(workspaceId, id), storedSchema))?.value;
  }

  return {
    async create(key, hash) {
      const version = await records.commit([
        { key: keys.apiKey(key.workspaceId, key.id), value: { ...key, hash }, expected: null },
        { key: keys.apiKeyByHash(hash), value: { workspaceId: key.workspaceId, id: key.id }, expected: null },
      ]);
      if (version === undefined) throw new StoreError("Cannot store the API key: there is one like it");
    },
    async find(hash) {
      const place = (await records.get(keys.apiKeyByHash(hash), placeSchema))?.value;
      const key = place && await get(place.workspaceId, place.id);
      return key && without(key);
    },
    async list(workspaceId) {
      const listed = (await records.list(keys.apiKeysOf(workspaceId), storedSchema)).map(({ value }) => without(value));
      return listed.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    },
    async remove(workspaceId, id) {
      const key = await get(workspaceId, id);
      if (key === undefined) return false;
      const atomic = kv.atomic().delete(keys.apiKey(workspaceId, id)).delete(keys.apiKeyByHash(key.hash));
      await unlocked(() => atomic.commit());
      return true;
    },
  };
}
