import { z } from "zod";
import type { Workspace, WorkspaceStore } from "../deps.ts";
import { keys } from "./keys.ts";
import { Records } from "./records.ts";

const systemSchema = z.object({ firstWorkspaceId: z.uuid() });
const workspaceSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.iso.datetime().transform((text) => new Date(text)),
});

/** The registry of workspaces in Deno KV. */
export function workspaceStore(kv: Deno.Kv): WorkspaceStore {
  const records = new Records(kv);

  async function get(workspaceId: string): Promise<Workspace | undefined> {
    return (await records.get(keys.workspace(workspaceId), workspaceSchema))?.value;
  }

  return {
    get,
    async first(): Promise<Workspace | undefined> {
      const system = await records.get(keys.system(), systemSchema);
      return system && await get(system.value.firstWorkspaceId);
    },
    async createFirst(workspace): Promise<boolean> {
      const version = await records.commit([
        { key: keys.system(), value: { firstWorkspaceId: workspace.id }, expected: null },
        { key: keys.workspace(workspace.id), value: workspace, expected: null },
      ]);
      return version !== undefined;
    },
  };
}
