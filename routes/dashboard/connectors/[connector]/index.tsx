import { page } from "fresh";
import { requireConnector, saveForm } from "../../../(_shared)/connector.ts";
import { connectorPageData, messageOf } from "../../../(_shared)/connector_page.ts";
import { ConnectorPage } from "../../../(_shared)/ConnectorPage.tsx";
import { define } from "../../../(_shared)/define.ts";
import { readForm } from "../../../(_shared)/form.ts";
import { sendTest } from "../../../(_shared)/test_event.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const connector = requireConnector(ctx.state, ctx.params.connector);
    const newSecret = ctx.url.searchParams.has("new-secret");
    return page(await connectorPageData(ctx.state, connector, { message: messageOf(ctx.url), newSecret }));
  },
  async POST(ctx) {
    const connector = requireConnector(ctx.state, ctx.params.connector);
    const here = `/dashboard/connectors/${connector.manifest.id}`;
    const posted = await readForm(ctx.req);
    if (posted.get("intent") === "test") {
      const sent = await sendTest(ctx.state, connector.manifest.id, posted);
      if ("published" in sent) return ctx.redirect(`${here}?done=sent&events=${sent.published}`, 303);
      const message = { tone: "bad", title: "The test event was not accepted", detail: sent.problem } as const;
      return page(await connectorPageData(ctx.state, connector, { message }), { status: sent.status });
    }
    const form = await saveForm(ctx.state, connector, posted, posted.has("enabled"));
    if (form === undefined) return ctx.redirect(`${here}?done=saved`, 303);
    return page(await connectorPageData(ctx.state, connector, { form }), { status: form.status });
  },
});

export default define.page<typeof handler>(function Connector({ data }) {
  return <ConnectorPage data={data} />;
});
