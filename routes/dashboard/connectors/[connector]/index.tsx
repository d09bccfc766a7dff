import { HttpError, page } from "fresh";
import type { Replaceable } from "../../../../server/workspace/overlap.ts";
import { requireConnector } from "../../../(_shared)/connector.ts";
import { saveForm } from "../../../(_shared)/connector_form.ts";
import { connectorPageData, messageOf } from "../../../(_shared)/connector_page.ts";
import { ConnectorPage } from "../../../(_shared)/ConnectorPage.tsx";
import { define, type State } from "../../../(_shared)/define.ts";
import { problemOrThrow, readWorkspaceForm } from "../../../(_shared)/form.ts";
import { poll } from "../../../(_shared)/poll.ts";
import { sendTest } from "../../../(_shared)/test_event.ts";

const ENDING: ReadonlyMap<string, Replaceable> = new Map([["end-secrets", "secrets"], ["end-url", "url"]]);

async function endOverlap({ dashboard, workspaceId }: State, connectorId: string, of: Replaceable): Promise<void> {
  try {
    await dashboard.settings.endOverlap(workspaceId, connectorId, [of]);
  } catch (error) {
    const problem = problemOrThrow(dashboard, error);
    throw new HttpError(problem.status, problem.detail);
  }
}

export const handler = define.handlers({
  async GET(ctx) {
    const connector = requireConnector(ctx.state, ctx.params.connector);
    const newSecret = ctx.url.searchParams.has("new-secret");
    return page(await connectorPageData(ctx.state, connector, { message: messageOf(ctx.url), newSecret }));
  },
  async POST(ctx) {
    const connector = requireConnector(ctx.state, ctx.params.connector);
    const here = `/dashboard/connectors/${connector.manifest.id}`;
    const posted = await readWorkspaceForm(ctx);
    const intent = posted.get("intent") ?? "";
    const ended = ENDING.get(intent);
    if (ended !== undefined) {
      await endOverlap(ctx.state, connector.manifest.id, ended);
      return ctx.redirect(`${here}?done=ended`, 303);
    }
    if (intent === "test") {
      const sent = await sendTest(ctx.state, connector.manifest.id, posted);
      if ("taken" in sent) {
        const { published, queued } = sent.taken;
        return ctx.redirect(`${here}?done=sent&events=${published}&queued=${queued}`, 303);
      }
      const message = { tone: "bad", title: "The test event was not accepted", detail: sent.problem } as const;
      return page(await connectorPageData(ctx.state, connector, { message }), { status: sent.status });
    }
    if (intent === "poll" || intent === "start-anew") {
      const outcome = await poll(ctx.state, connector.manifest.id, { startAnew: intent === "start-anew" });
      if ("published" in outcome) return ctx.redirect(`${here}?done=polled&events=${outcome.published}`, 303);
      const message = { tone: "bad", title: "The poll did not succeed", detail: outcome.problem } as const;
      return page(await connectorPageData(ctx.state, connector, { message }), { status: outcome.status });
    }
    const form = await saveForm(ctx.state, connector, posted, posted.has("enabled"));
    if (form === undefined) return ctx.redirect(`${here}?done=saved`, 303);
    return page(await connectorPageData(ctx.state, connector, { form }), { status: form.status });
  },
});

export default define.page<typeof handler>(function Connector({ data }) {
  return <ConnectorPage data={data} />;
});
