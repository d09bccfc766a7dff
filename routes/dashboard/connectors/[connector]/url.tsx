import { HttpError, page } from "fresh";
import { requireConnector } from "../../../(_shared)/connector.ts";
import { define } from "../../../(_shared)/define.ts";
import { statusOrThrow } from "../../../(_shared)/form.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { manifest: { id, name } } = requireConnector(ctx.state, ctx.params.connector);
    ctx.state.title = `A new URL for ${name}`;
    const { webhookUrl } = await ctx.state.dashboard.settings.view(ctx.state.workspaceId, id);
    if (webhookUrl === null) return ctx.redirect(`/dashboard/connectors/${id}`, 303);
    return page({ id, name, webhookUrl });
  },
  async POST(ctx) {
    const { dashboard, workspaceId } = ctx.state;
    const { manifest: { id } } = requireConnector(ctx.state, ctx.params.connector);
    try {
      await dashboard.settings.renewUrl(workspaceId, id);
    } catch (error) {
      const problem = dashboard.problem(error);
      throw new HttpError(statusOrThrow(problem, error), problem.detail);
    }
    return ctx.redirect(`/dashboard/connectors/${id}?done=url`, 303);
  },
});

export default define.page<typeof handler>(function RenewUrl({ data: { id, name, webhookUrl } }) {
  return (
    <div class="wizard">
      <h1>Make a new webhook URL for {name}?</h1>
      <div class="card form">
        <p>
          From then on this one is unknown, and whatever is still sent to it is refused with 404 and lost unless {name}
          {" "}
          sends it again:
        </p>
        <p>
          <code class="break-all">{webhookUrl}</code>
        </p>
        <p>Have the settings of {name} open, so that you can put the new one in there at once.</p>
        <form method="post" class="flex flex-wrap gap-2">
          <button type="submit" class="button button-danger">Make a new URL</button>
          <a href={`/dashboard/connectors/${id}`} class="button">Keep this one</a>
        </form>
      </div>
    </div>
  );
});
