import { cookieOf } from "../(_shared)/cookies.ts";
import { define, type State, WORKSPACE_COOKIE } from "../(_shared)/define.ts";

/** Pages that are there before a workspace is. */
const WITHOUT_WORKSPACE = ["/dashboard/setup", "/dashboard/sign-in", "/dashboard/sign-out"];

/** Chooses the workspace that is shown: the one chosen last, else the first. Without any, every page leads to the wizard. */
export default define.middleware(async (ctx) => {
  const { state, url } = ctx;
  const { setup, workspaceAdmin, access } = state.dashboard;
  state.signsIn = access.signsIn;
  // Whoever is not signed in yet learns nothing of what is here.
  const workspaces = url.pathname === "/dashboard/sign-in" ? [] : await workspaceAdmin.list();
  const chosen = cookieOf(ctx.req, WORKSPACE_COOKIE);
  // The status opens every connector's settings: it is asked only where there is more than one to choose from.
  const shown = workspaces.find(({ id }) => id === chosen) ??
    (workspaces.length > 1 ? await firstOf(workspaces, setup) : undefined) ?? workspaces[0];
  state.workspaceId = shown?.id ?? "";
  state.workspaceName = shown?.name ?? "";
  if (shown === undefined && !WITHOUT_WORKSPACE.includes(url.pathname)) return ctx.redirect("/dashboard/setup", 303);
  return await ctx.next();
});

async function firstOf<Workspace extends { readonly id: string }>(
  workspaces: readonly Workspace[],
  setup: State["dashboard"]["setup"],
): Promise<Workspace | undefined> {
  const { workspaceId } = await setup.status();
  return workspaces.find(({ id }) => id === workspaceId);
}
