import { page } from "fresh";
import { ConnectorRow } from "../../../components/ConnectorRow.tsx";
import { summaries } from "../../(_shared)/connector.ts";
import { define } from "../../(_shared)/define.ts";

export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = "Connectors";
    return page({ connectors: await summaries(ctx.state), now: new Date() });
  },
});

export default define.page<typeof handler>(function Connectors({ data: { connectors, now } }) {
  const on = connectors.filter(({ enabled }) => enabled).length;
  return (
    <>
      <div class="page-head">
        <h1>Connectors</h1>
        <p class="muted">{on} of {connectors.length} on</p>
      </div>
      <ul class="card card-list">
        {connectors.map((connector) => <ConnectorRow key={connector.id} connector={connector} now={now} />)}
      </ul>
    </>
  );
});
