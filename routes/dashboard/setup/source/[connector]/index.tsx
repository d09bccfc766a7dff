import { page } from "fresh";
import { Guide } from "../../../../../components/Guide.tsx";
import { Steps } from "../../../../../components/Steps.tsx";
import type { DashboardConnector } from "../../../../../server/dashboard.ts";
import { requireConnector } from "../../../../(_shared)/connector.ts";
import { type ConnectorForm, saveForm, storedForm } from "../../../../(_shared)/connector_form.ts";
import { ConnectorFields } from "../../../../(_shared)/ConnectorFields.tsx";
import { define, type State } from "../../../../(_shared)/define.ts";
import { readWorkspaceForm } from "../../../../(_shared)/form.ts";
import { beginPoll } from "../../../../(_shared)/poll.ts";
import { renderGuide } from "../../../../(_shared)/guide.ts";
import { WebhookUrl } from "../../../../(_shared)/WebhookUrl.tsx";
import { WorkspaceField } from "../../../../../components/WorkspaceField.tsx";

async function dataOf(state: State, connector: DashboardConnector, form?: ConnectorForm, newSecret = false) {
  const { id, name, type, documentationUrl } = connector.manifest;
  state.title = `Connect ${name}`;
  const view = await state.dashboard.settings.view(state.workspaceId, id);
  const { steps } = renderGuide(await state.dashboard.guide(id));
  const shown = form ?? storedForm(connector, view, newSecret);
  const { webhooksAreLocal } = state.dashboard;
  return { name, type, documentationUrl, steps, webhookUrl: view.webhookUrl, webhooksAreLocal, form: shown };
}

export const handler = define.handlers({
  async GET(ctx) {
    const connector = requireConnector(ctx.state, ctx.params.connector);
    return page(await dataOf(ctx.state, connector, undefined, ctx.url.searchParams.has("new-secret")));
  },
  async POST(ctx) {
    const connector = requireConnector(ctx.state, ctx.params.connector);
    const wrong = await saveForm(ctx.state, connector, await readWorkspaceForm(ctx), true);
    if (wrong !== undefined) return page(await dataOf(ctx.state, connector, wrong), { status: wrong.status });
    // Events begin with the first poll, so nobody should wait for its time.
    if (connector.manifest.type === "poller") beginPoll(ctx.state, connector.manifest.id);
    return ctx.redirect(`/dashboard/setup/source/${connector.manifest.id}/wait`, 303);
  },
});

export default define.page<typeof handler>(function SetupConnect({ data }) {
  const { name, type, documentationUrl, steps, webhookUrl, webhooksAreLocal, form } = data;
  return (
    <div class="wizard">
      <Steps at={3} />
      <h1>Connect {name}</h1>
      {type === "poller"
        ? (
          <p>
            Enter what opens{" "}
            {name}. When you save, it is asked for the first time, and events begin: what is there already becomes none.
          </p>
        )
        : (
          <p>
            <a href="#steps">The steps below</a> say what goes where. Save here before {name}{" "}
            sends anything: until then, that is refused.
          </p>
        )}
      <form method="post" novalidate class="card form">
        <WorkspaceField />
        {type === "webhook" && webhookUrl === null && (
          <p class="muted">The webhook URL is made when you save, and shown on the next page.</p>
        )}
        {webhookUrl !== null && <WebhookUrl url={webhookUrl} name={name} isLocal={webhooksAreLocal} />}
        <ConnectorFields form={form} />
        <button type="submit" class="button button-primary">
          {type === "poller" ? `Save and poll ${name}` : "Save and wait for the first event"}
        </button>
      </form>
      <section class="card">
        <h2 id="steps">How to set up {name}</h2>
        <Guide html={steps} />
        <p class="mt-3">
          <a href={documentationUrl} rel="noreferrer">Documentation of {name}</a>
        </p>
      </section>
    </div>
  );
});
