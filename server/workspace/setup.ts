import type { Audit } from "../audit/audit.ts";
import type { ConnectorConfigStore, Workspace, WorkspaceStore } from "../deps.ts";
import { ConflictError, NotFoundError } from "../errors.ts";
import { cleanName } from "./name.ts";

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
   * @throws {InvalidInputError} if the name does not fit
   * @throws {ConflictError} if there is one already; of several at the same moment, one succeeds
   */
  complete(workspaceName: string): Promise<string>;
}

/** Makes first-run setup over a store. */
export function createSetup(
  parts: { workspaces: WorkspaceStore; connectorConfigs: ConnectorConfigStore; audit: Audit; now: () => Date },
): Setup {
  const { workspaces, connectorConfigs, audit, now } = parts;
  return {
    async status() {
      const workspace = await workspaces.first();
      if (workspace === undefined) return { setupComplete: false, workspaceId: null, hasActiveConnectors: false };
      const configs = await connectorConfigs.list(workspace.id);
      const hasActiveConnectors = configs.some(({ value }) => value.enabled);
      return { setupComplete: true, workspaceId: workspace.id, hasActiveConnectors };
    },
    async complete(workspaceName) {
      const name = cleanName(workspaceName, "/workspaceName");
      const workspace = { id: crypto.randomUUID(), name, createdAt: now() };
      if (await workspaces.createFirst(workspace)) {
        await audit.note({ action: "completed the setup", workspaceId: workspace.id, subject: name });
        return workspace.id;
      }
      throw new ConflictError("Cannot set up: setup is complete already, see GET /setup/status");
    },
  };
}

/** @throws {NotFoundError} if there is no such workspace */
export async function requireWorkspace(workspaces: WorkspaceStore, workspaceId: string): Promise<Workspace> {
  const workspace = await workspaces.get(workspaceId);
  if (workspace !== undefined) return workspace;
  throw new NotFoundError(`Cannot find workspace ${workspaceId}: GET /workspaces lists those there are`);
}
