/** What an API key may be used for: to look, or to look and change. */
export type Scope = "read" | "manage";

/** Who makes a request that is not a source's delivery. */
export interface Caller {
  /** Who it is, for the audit: never a secret. */
  readonly name: string;
  /** Whether the caller may do everything, in every workspace. */
  readonly isAdmin: boolean;
  /** Whether the caller may do what `scope` says in the workspace. */
  may(scope: Scope, workspaceId: string): boolean;
}

/** A caller who may do everything: the holder of `ADMIN_TOKEN`, or whoever sits at this machine where none is set. */
export function adminCaller(name: string): Caller {
  return { name, isAdmin: true, may: () => true };
}

/** The holder of an API key: of one workspace, and within its scope. */
export function keyCaller(key: { readonly name: string; readonly workspaceId: string; readonly scope: Scope }): Caller {
  return {
    name: `key ${key.name}`,
    isAdmin: false,
    may: (scope, workspaceId) => workspaceId === key.workspaceId && (key.scope === "manage" || scope === "read"),
  };
}
