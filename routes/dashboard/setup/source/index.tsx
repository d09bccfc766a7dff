import { page } from "fresh";
import { Steps } from "../../../../components/Steps.tsx";
import { define } from "../../../(_shared)/define.ts";
import { requireConnector } from "../../../(_shared)/connector.ts";
import { WorkspaceField } from "../../../../components/WorkspaceField.tsx";
import { readWorkspaceForm } from "../../../(_shared)/form.ts";

export const handler = define.handlers({
  GET(ctx) {
    ctx.state.title = "Pick a source";
    return page({ sources: ctx.state.dashboard.connectors.map(({ manifest }) => manifest) });
  },
  /** Picking a source gives it a webhook URL, so that the next page can show it beside the secret. */
  async POST(ctx) {
    const { dashboard, workspaceId } = ctx.state;
    const form = await readWorkspaceForm(ctx);
    const connectorId = requireConnector(ctx.state, form.get("source") ?? undefined).manifest.id;
    const { configured } = await dashboard.settings.view(workspaceId, connectorId);
    if (!configured) await dashboard.settings.configure({ workspaceId, connectorId, enabled: false });
    return ctx.redirect(`/dashboard/setup/source/${encodeURIComponent(connectorId)}`, 303);
  },
});

export default define.page<typeof handler>(function SetupSource({ data: { sources } }) {
  return (
    <div class="wizard">
      <Steps at={2} />
      <h1>Pick a source</h1>
      <p>Begin with one; the others are added the same way later.</p>
      <form method="post">
        <WorkspaceField />
        <ul class="grid gap-3">
          {sources.map(({ id, name, description, triggers }) => (
            <li key={id} class="card flex flex-wrap items-center justify-between gap-3">
              <div class="min-w-0 flex-1 basis-64">
                <h2>{name}</h2>
                <p class="muted">
                  {description} {triggers.length === 1 ? "1 event type." : `${triggers.length} event types.`}
                </p>
              </div>
              <button type="submit" name="source" value={id} class="button button-primary">Set up {name}</button>
            </li>
          ))}
        </ul>
      </form>
      <p>
        <a href="/dashboard">Skip this and look around</a>
      </p>
    </div>
  );
});
