import { firstEvent, requireConnector } from "../../../../(_shared)/connector.ts";
import { define } from "../../../../(_shared)/define.ts";
import { stateOfPage } from "../../../../(_shared)/page_workspace.ts";

/** For the island that waits for the first event. */
export const handler = define.handlers({
  async GET(ctx) {
    const { manifest: { id } } = requireConnector(ctx.state, ctx.params.connector);
    return Response.json(await firstEvent(await stateOfPage(ctx), id));
  },
});
