import type { ConnectorConfigStore, WorkspaceStore } from "../deps.ts";
import { ConflictError, NotFoundError } from "../errors.ts";

/** How far first-run setup has come. */
export interface SetupStatus {
  readonly setupComplete: boolean;
  /** `null` until setup is complete. */
  readonly workspaceId: string | null;
  readonly hasActiveConnectors: boolean;
}

/** First-run setup. */
export interface Setup {
  status(): Promise<SetupStatus>;
  /**
   * Creates the first workspace and gives its id.
   *
   * @throws {ConflictError} if there is one already; of several at the same moment, one succeeds
   */
  complete(workspaceName: string): Promise<string>;
}

/** Makes first-run setup over a store. */
export function createSetup(
  parts: { workspaces: WorkspaceStore; connectorConfigs: ConnectorConfigStore; now: () => Date },
): Setup {
  const { workspaces, connectorConfigs, now } = parts;
  return {
    async status() {
      const workspace = await workspaces.first();
      if (workspace === undefined) return { setupComplete: false, workspaceId: null, hasActiveConnectors: false };
      const configs = await connectorConfigs.list(workspace.id);
      const hasActiveConnectors = configs.some(({ value }) => value.enabled);
      return { setupComplete: true, workspaceId: workspace.id, hasActiveConnectors };
    },
    async complete(workspaceName) {
      const workspace = { id: crypto.randomUUID(), name: workspaceName, createdAt: now() };
      if (await workspaces.createFirst(workspace)) return workspace.id;
      throw new ConflictError("Cannot set up: setup is complete already, see GET /setup/status");
    },
  };
}

/** @throws {NotFoundError} if there is no such workspace */
export async function requireWorkspace(workspaces: WorkspaceStore, workspaceId: string): Promise<void> {
  if (await workspaces.get(workspaceId) !== undefined) return;
  throw new NotFoundError(`Cannot find workspace ${workspaceId}: GET /setup/status tells the id of the first one`);
}
