import { page } from "fresh";
import { Guide } from "../../../../../components/Guide.tsx";
import { Notice } from "../../../../../components/Notice.tsx";
import { Steps } from "../../../../../components/Steps.tsx";
import FirstEvent from "../../../../../islands/FirstEvent.tsx";
import { firstEvent, requireConnector } from "../../../../(_shared)/connector.ts";
import { madeUpHere } from "../../../../(_shared)/connector_form.ts";
import { define, type State } from "../../../../(_shared)/define.ts";
import { readWorkspaceForm } from "../../../../(_shared)/form.ts";
import { poll } from "../../../../(_shared)/poll.ts";
import { renderGuide } from "../../../../(_shared)/guide.ts";
import { sendTest } from "../../../../(_shared)/test_event.ts";
import { TestForm } from "../../../../../components/TestForm.tsx";
import { WebhookUrl } from "../../../../(_shared)/WebhookUrl.tsx";
import { WorkspaceField } from "../../../../../components/WorkspaceField.tsx";

async function dataOf(state: State, connectorId: string | undefined, problem?: string) {
  const { dashboard, workspaceId } = state;
  const connector = requireConnector(state, connectorId);
  const { id, name, type } = connector.manifest;
  state.title = "First event";
  const { webhookUrl, enabled } = await dashboard.settings.view(workspaceId, id);
  const { steps } = renderGuide(await dashboard.guide(id));
  const status = await firstEvent(state, id);
  const examples = await dashboard.examples(id);
  const makesUp = madeUpHere(connector).length > 0;
  const { webhooksAreLocal } = dashboard;
  return {
    id,
    name,
    type,
    workspaceId,
    webhookUrl,
    webhooksAreLocal,
    enabled,
    makesUp,
    steps,
    status,
    examples,
    problem,
  };
}

export const handler = define.handlers({
  async GET(ctx) {
    return page(await dataOf(ctx.state, ctx.params.connector));
  },
  async POST(ctx) {
    const { manifest: { id, type } } = requireConnector(ctx.state, ctx.params.connector);
    const form = await readWorkspaceForm(ctx);
    const sent = type === "poller" ? await poll(ctx.state, id) : await sendTest(ctx.state, id, form);
    if ("problem" in sent) return page(await dataOf(ctx.state, id, sent.problem), { status: sent.status });
    return ctx.redirect(ctx.url.pathname, 303);
  },
});

export default define.page<typeof handler>(function SetupWait({ data }) {
  const { id, name, type, workspaceId, webhookUrl, webhooksAreLocal, enabled, makesUp } = data;
  const { steps, status, examples, problem } = data;
  const here = `/dashboard/setup/source/${id}`;
  return (
    <div class="wizard">
      <Steps at={4} />
      <h1>Wait for the first event</h1>
      {problem !== undefined && (
        <Notice
          tone="bad"
          title={type === "poller" ? "The poll did not succeed" : "The test event was not sent"}
          role="alert"
        >
          {problem}
        </Notice>
      )}
      {!enabled && (
        <Notice tone="warn" title={`${name} is off`}>
          <p>
            {type === "poller" ? "It is not polled." : "What it sends is refused."}{" "}
            <a href={here}>Go back and save its settings</a>
          </p>
        </Notice>
      )}
      <FirstEvent
        {...status}
        kind={type}
        workspaceId={workspaceId}
        connectorId={id}
        name={name}
        statusUrl={`${here}/status?workspaceId=${workspaceId}`}
      />
      <div class="flex flex-wrap items-center gap-3">
        <a href="/dashboard/stream" class="button button-primary">Watch the live stream</a>
        {!status.came && <a href={`${here}/wait`} class="button">Check again</a>}
        <a href="/dashboard">To the overview</a>
      </div>
      {enabled && !status.came && type === "poller" && (
        <form method="post">
          <WorkspaceField />
          <button type="submit" class="button">Poll now</button>
        </form>
      )}
      {enabled && !status.came && type === "webhook" && (
        <section class="card">
          <h2>Try it without {name}</h2>
          <p class="muted mb-2">An example, signed with your secret as {name} signs, goes the way of a real event.</p>
          <TestForm examples={examples} />
        </section>
      )}
      {webhookUrl !== null && (
        <section class="card">
          <h2 class="mb-2">How to set up {name}</h2>
          <WebhookUrl url={webhookUrl} name={name} isLocal={webhooksAreLocal} />
          {makesUp && (
            <p class="muted mt-2">
              The secret is not shown again. If you have lost it, <a href={`${here}?new-secret`}>make up a new one</a>.
            </p>
          )}
          <Guide html={steps} />
        </section>
      )}
    </div>
  );
});
