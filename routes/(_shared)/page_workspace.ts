import { type FreshContext, HttpError } from "fresh";
import type { State } from "./define.ts";

/**
 * The state for the workspace that a script's page was made for, which its address names: another tab may have chosen
 * another since.
 *
 * @throws {HttpError} 404 if there is no such workspace
 */
export async function stateOfPage({ url, state }: FreshContext<State>): Promise<State> {
  const asked = url.searchParams.get("workspaceId") ?? state.workspaceId;
  const workspace = (await state.dashboard.workspaceAdmin.list()).find(({ id }) => id === asked);
  if (workspace === undefined) throw new HttpError(404);
  return { ...state, workspaceId: workspace.id, workspaceName: workspace.name };
}
