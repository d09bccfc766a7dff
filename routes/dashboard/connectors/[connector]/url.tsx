import { HttpError, page } from "fresh";
import { KeepOld } from "../../../../components/form/KeepOld.tsx";
import { Until } from "../../../../components/Until.tsx";
import { requireConnector } from "../../../(_shared)/connector.ts";
import { requireKeepOldMs } from "../../../(_shared)/connector_form.ts";
import { define } from "../../../(_shared)/define.ts";
import { problemOrThrow, readWorkspaceForm } from "../../../(_shared)/form.ts";
import { WorkspaceField } from "../../../../components/WorkspaceField.tsx";

export const handler = define.handlers({
  async GET(ctx) {
    const { manifest: { id, name } } = requireConnector(ctx.state, ctx.params.connector);
    ctx.state.title = `A new URL for ${name}`;
    const view = await ctx.state.dashboard.settings.view(ctx.state.workspaceId, id);
    const { webhookUrl, enabled, retiringUntil } = view;
    if (webhookUrl === null) return ctx.redirect(`/dashboard/connectors/${id}`, 303);
    return page({ id, name, webhookUrl, enabled, oldUntil: retiringUntil.url });
  },
  async POST(ctx) {
    const { dashboard, workspaceId } = ctx.state;
    const { manifest: { id } } = requireConnector(ctx.state, ctx.params.connector);
    const form = await readWorkspaceForm(ctx);
    const options = { keepOldForMs: requireKeepOldMs(form), replaces: form.get("replaces") ?? undefined };
    try {
      await dashboard.settings.renewUrl(workspaceId, id, options);
    } catch (error) {
      const problem = problemOrThrow(dashboard, error);
      throw new HttpError(problem.status, problem.detail);
    }
    return ctx.redirect(`/dashboard/connectors/${id}?done=url`, 303);
  },
});

export default define.page<typeof handler>(function RenewUrl({ data: { id, name, webhookUrl, enabled, oldUntil } }) {
  return (
    <div class="wizard">
      <h1>Make a new webhook URL for {name}?</h1>
      <form method="post" class="card form">
        <WorkspaceField />
        <input type="hidden" name="replaces" value={webhookUrl} />
        <p>
          Then this one is unknown, at once or after a time that you choose. Whatever is still sent to it is refused
          with 404 and lost unless {name} sends it again:
        </p>
        <p>
          <code class="break-all">{webhookUrl}</code>
        </p>
        {oldUntil !== null && (
          <p>
            The one before it, still known until <Until date={oldUntil} />, is unknown at once.
          </p>
        )}
        {enabled
          ? <KeepOld label="Accept the old one for" hint={`Time to put the new one into the settings of ${name}.`} />
          : <p>{name} is off: neither is known until you turn it on.</p>}
        <div class="flex flex-wrap gap-2">
          <button type="submit" class="button button-danger">Make a new URL</button>
          <a href={`/dashboard/connectors/${id}`} class="button">Keep this one</a>
        </div>
      </form>
    </div>
  );
});
