import type { Audit } from "../audit/audit.ts";
import type { Scope } from "../access/caller.ts";
import type { ApiKey, ApiKeyStore, AuditEntry, Tokens, Workspace, WorkspaceStore } from "../deps.ts";
import { NotFoundError } from "../errors.ts";
import { cleanName } from "./name.ts";
import { requireWorkspace } from "./setup.ts";

/** The workspaces, and the API keys of each. */
export interface Workspaces {
  /** All of them, oldest first. */
  list(): Promise<Workspace[]>;
  /** @throws {InvalidInputError} if the name does not fit */
  create(name: string): Promise<Workspace>;
  /**
   * @throws {NotFoundError} if there is no such workspace
   * @throws {InvalidInputError} if the name does not fit
   */
  rename(workspaceId: string, name: string): Promise<Workspace>;
  /**
   * Removes a workspace with all that is in it: settings, secrets, keys, events, deliveries. Its webhook URLs are unknown
   * and its streams ended when this resolves.
   *
   * @throws {NotFoundError} if there is no such workspace
   */
  remove(workspaceId: string): Promise<void>;
  /** @throws {NotFoundError} if there is no such workspace */
  keys(workspaceId: string): Promise<ApiKey[]>;
  /**
   * Makes an API key. Its secret is given here, and never again.
   *
   * @throws {NotFoundError} if there is no such workspace
   * @throws {InvalidInputError} if the name does not fit
   */
  createKey(workspaceId: string, name: string, scope: Scope): Promise<{ key: ApiKey; secret: string }>;
  /**
   * Revokes an API key, and ends the workspace's streams, so that whoever used it cannot go on.
   *
   * @throws {NotFoundError} if the workspace has no such key
   */
  revokeKey(workspaceId: string, keyId: string): Promise<void>;
}

/** What {@link createWorkspaces} works with. */
export interface WorkspacesParts {
  readonly workspaces: WorkspaceStore;
  readonly apiKeys: ApiKeyStore;
  readonly tokens: Tokens;
  readonly audit: Audit;
  readonly now: () => Date;
  /** Told when a workspace cannot be found any more, before what is in it is removed. */
  onRemoved(workspaceId: string): Promise<void>;
  /** Ends a workspace's streams. */
  endStreams(workspaceId: string): void;
}

/** Begins every API key, so that one that got out can be found in logs and repositories. */
const KEY_PREFIX = "inlet_";

/** Makes the workspaces use-case over the stores. */
export function createWorkspaces(parts: WorkspacesParts): Workspaces {
  const { workspaces, apiKeys, tokens, audit, now, onRemoved, endStreams } = parts;
  const note = (action: AuditEntry["action"], workspaceId: string | null, subject: string, detail = "") =>
    audit.note({ action, workspaceId, subject, detail });

  return {
    list: () => workspaces.list(),
    async create(name) {
      const workspace = { id: crypto.randomUUID(), name: cleanName(name, "/workspaceName"), createdAt: now() };
      await workspaces.create(workspace);
      await note("created the workspace", workspace.id, workspace.name);
      return workspace;
    },
    async rename(workspaceId, name) {
      const renamed = await workspaces.rename(workspaceId, cleanName(name, "/workspaceName"));
      if (renamed !== undefined) {
        await note("renamed the workspace", workspaceId, renamed.name);
        return renamed;
      }
      await requireWorkspace(workspaces, workspaceId);
      throw new NotFoundError(`Cannot rename workspace ${workspaceId}: it was removed meanwhile`);
    },
    async remove(workspaceId) {
      const { name } = await requireWorkspace(workspaces, workspaceId);
      await workspaces.remove(workspaceId, async () => {
        await onRemoved(workspaceId);
        endStreams(workspaceId);
      });
      await note("removed the workspace", null, name, `its id was ${workspaceId}`);
    },
    async keys(workspaceId) {
      await requireWorkspace(workspaces, workspaceId);
      return await apiKeys.list(workspaceId);
    },
    async createKey(workspaceId, name, scope) {
      await requireWorkspace(workspaces, workspaceId);
      const key = { id: crypto.randomUUID(), workspaceId, name: cleanName(name, "/name"), scope, createdAt: now() };
      const secret = `${KEY_PREFIX}${tokens.issue()}`;
      await apiKeys.create(key, tokens.hash(secret));
      await note("made the API key", workspaceId, key.name, `it may ${scope}`);
      return { key, secret };
    },
    async revokeKey(workspaceId, keyId) {
      await requireWorkspace(workspaces, workspaceId);
      const key = (await apiKeys.list(workspaceId)).find(({ id }) => id === keyId);
      if (key === undefined || !await apiKeys.remove(workspaceId, keyId)) {
        throw new NotFoundError(`Cannot revoke API key ${keyId}: the workspace has no such key`);
      }
      await note("revoked the API key", workspaceId, key.name);
      endStreams(workspaceId);
    },
  };
}
