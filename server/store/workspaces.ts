import { z } from "zod";
import type { Workspace, WorkspaceStore } from "../deps.ts";
import { keys } from "./keys.ts";
import { Records, type Write } from "./records.ts";
import { timeSchema } from "./time.ts";
import { unlocked } from "./unlocked.ts";

const systemSchema = z.object({ firstWorkspaceId: z.uuid() });
const workspaceSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: timeSchema,
});

/** How often a removal or renaming starts over when somebody else wrote in between. */
const ATTEMPTS = 20;
/** For so long others may still write into a workspace that is gone: what was under way, or before they learn of it. */
const LATE_WRITES_MS = 60_000;
/** Deletions in one commit: Deno KV allows 1,000 mutations. */
const DELETIONS = 500;

/** The registry of workspaces in Deno KV. */
export function workspaceStore(kv: Deno.Kv, now: () => Date): WorkspaceStore {
  const records = new Records(kv);
  const find = (workspaceId: string) => records.get(keys.workspace(workspaceId), workspaceSchema);

  async function list(): Promise<Workspace[]> {
    const all = (await records.list(keys.workspaces(), workspaceSchema)).map(({ value }) => value);
    return all.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id.localeCompare(b.id));
  }

  /** Takes a workspace out of the registry, and notes that what is in it is to go; `false` if it was not there. */
  async function unregister(workspaceId: string): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const [found, system] = [await find(workspaceId), await records.get(keys.system(), systemSchema)];
      if (found === undefined) return false;
      const next = (await list()).find(({ id }) => id !== workspaceId);
      const atomic = kv.atomic().check({ key: keys.workspace(workspaceId), versionstamp: found.version })
        .check({ key: keys.system(), versionstamp: system?.version ?? null })
        .delete(keys.workspace(workspaceId)).set(keys.workspaceRemoval(workspaceId), now().getTime());
      if (system?.value.firstWorkspaceId === workspaceId) {
        if (next === undefined) atomic.delete(keys.system());
        else atomic.set(keys.system(), encode({ firstWorkspaceId: next.id }));
      }
      if ((await unlocked(() => atomic.commit())).ok) return true;
    }
    throw new Error(`Cannot remove workspace ${workspaceId}: others kept writing at the same time`);
  }

  async function sweep(workspaceId: string): Promise<void> {
    await removeBelow(keys.connectorConfigsOf(workspaceId));
    // Whoever holds a view of the settings sees that it is old; one that is read before they are gone still has them.
    await unlocked(() => kv.set(keys.connectorConfigsRevision(), encode(crypto.randomUUID())));
    for (const prefix of keys.everythingOf(workspaceId)) await removeBelow(prefix);
  }

  async function removeBelow(prefix: Deno.KvKey): Promise<void> {
    for (;;) {
      const found = await Array.fromAsync(
        kv.list({ prefix }, { limit: DELETIONS }),
        ({ key, value }) => ({ key, value }),
      );
      if (found.length === 0) return;
      const atomic = kv.atomic();
      for (const { key, value } of found) {
        atomic.delete(key);
        for (const index of keys.indexesOf(key, value)) atomic.delete(index);
      }
      await unlocked(() => atomic.commit());
    }
  }

  return {
    list,
    async get(workspaceId) {
      return (await find(workspaceId))?.value;
    },
    async first() {
      const system = await records.get(keys.system(), systemSchema);
      return system && (await find(system.value.firstWorkspaceId))?.value;
    },
    async createFirst(workspace) {
      const version = await records.commit([
        { key: keys.system(), value: { firstWorkspaceId: workspace.id }, expected: null },
        { key: keys.workspace(workspace.id), value: workspace, expected: null },
      ]);
      return version !== undefined;
    },
    async create(workspace) {
      const added: Write = { key: keys.workspace(workspace.id), value: workspace, expected: null };
      // The first of all is what setup creates, whichever way it came.
      const first: Write = { key: keys.system(), value: { firstWorkspaceId: workspace.id }, expected: null };
      if (await records.commit([added, first]) === undefined) await records.commit([added]);
    },
    async rename(workspaceId, name) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const found = await find(workspaceId);
        if (found === undefined) return undefined;
        const value = { ...found.value, name };
        const version = await records.commit([{ key: keys.workspace(workspaceId), value, expected: found.version }]);
        if (version !== undefined) return value;
      }
      throw new Error(`Cannot rename workspace ${workspaceId}: others kept writing at the same time`);
    },
    async remove(workspaceId, onUnregistered) {
      if (!await unregister(workspaceId)) return;
      await onUnregistered();
      await sweep(workspaceId);
    },
    async finishRemovals() {
      for await (const { key, value } of kv.list({ prefix: keys.workspaceRemovals() })) {
        // What an older program noted has no time.
        const isOver = typeof value !== "number" || now().getTime() - value > LATE_WRITES_MS;
        await sweep(String(key.at(-1)));
        if (isOver) await unlocked(() => kv.delete(key));
      }
    },
  };
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
