import { type Context, createContext, type JSX } from "preact";
import { useContext } from "preact/hooks";

/** The workspace that a page was made for. */
export const ShownWorkspace: Context<string> = createContext("");

/** Name of the field that says which workspace a form was made for. */
export const WORKSPACE_FIELD = "workspace";

/**
 * Belongs into each form that changes something: another tab may have chosen another workspace since, and what was typed
 * for this one must not land there.
 */
export function WorkspaceField(): JSX.Element {
  return <input type="hidden" name={WORKSPACE_FIELD} value={useContext(ShownWorkspace)} />;
}
