import type { ApiKey } from "../deps.ts";

/** What an API key may be used for: to look, or to look and change. */
export type Scope = "read" | "manage";

/** Who makes a request that is not a source's delivery. */
export interface Caller {
  /** Who it is, for the audit: never a secret. */
  readonly name: string;
  /** Whether the caller may do everything, in every workspace. */
  readonly isAdmin: boolean;
  /** The API key that the caller holds; `undefined` for whoever holds none. */
  readonly keyId: string | undefined;
  /** The hash of the session's token; `undefined` for whoever did not sign in. */
  readonly sessionHash: string | undefined;
  /** Whether the caller may read the metrics, which are of all workspaces together. */
  readonly mayReadMetrics: boolean;
  /** Whether the caller may do what `scope` says in the workspace. */
  may(scope: Scope, workspaceId: string): boolean;
}

/** A caller who may do everything: the holder of `ADMIN_TOKEN`, or whoever sits at this machine where none is set. */
export function adminCaller(name: string, sessionHash?: string): Caller {
  return { name, isAdmin: true, mayReadMetrics: true, keyId: undefined, sessionHash, may: () => true };
}

/** The holder of `METRICS_TOKEN`: may read the metrics, and nothing else. */
export function metricsCaller(): Caller {
  return {
    name: "metrics",
    isAdmin: false,
    mayReadMetrics: true,
    keyId: undefined,
    sessionHash: undefined,
    may: () => false,
  };
}

/** The holder of an API key: of one workspace, and within its scope. */
export function keyCaller(key: Pick<ApiKey, "id" | "name" | "workspaceId" | "scope">): Caller {
  return {
    name: `key ${key.name}`,
    isAdmin: false,
    keyId: key.id,
    sessionHash: undefined,
    mayReadMetrics: false,
    may: (scope, workspaceId) => workspaceId === key.workspaceId && (key.scope === "manage" || scope === "read"),
  };
}
