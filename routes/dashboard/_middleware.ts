import { define } from "../(_shared)/define.ts";

/** Until there is a workspace, every page leads to the wizard. */
export default define.middleware(async (ctx) => {
  const { workspaceId } = await ctx.state.dashboard.setup.status();
  ctx.state.workspaceId = workspaceId ?? "";
  if (workspaceId === null && ctx.url.pathname !== "/dashboard/setup") return ctx.redirect("/dashboard/setup", 303);
  return await ctx.next();
});
