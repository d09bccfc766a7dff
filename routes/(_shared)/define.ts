import { createDefine } from "fresh";
import type { Dashboard } from "../../server/dashboard.ts";

/** What every page has at hand as `ctx.state`. */
export interface State {
  /** The service behind the pages. */
  dashboard: Dashboard;
  /** The workspace that is shown; `""` until setup is complete, which only the setup pages see. */
  workspaceId: string;
  /** Its name. */
  workspaceName: string;
  /** Whether people sign in here, and can sign out. */
  signsIn: boolean;
  /** Why the request is not let in; `undefined` if it is. */
  refusal: unknown;
  /** The page's title, without the product's name. */
  title: string | undefined;
}

/** Types handlers, pages and middlewares by {@link State}. */
export const define = createDefine<State>();

/** Name of the cookie that says which workspace was chosen. */
export const WORKSPACE_COOKIE = "inlet_workspace";
