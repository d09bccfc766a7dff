import { requireEventType } from "../../../(_shared)/event_type.ts";
import { define } from "../../../(_shared)/define.ts";
import { stateOfPage } from "../../../(_shared)/page_workspace.ts";

/** For the island that counts. */
export const handler = define.handlers({
  async GET(ctx) {
    const { dashboard, workspaceId } = await stateOfPage(ctx);
    const { trigger } = requireEventType(ctx.state, ctx.params.type);
    return Response.json({ seen: (await dashboard.eventCounts(workspaceId)).get(trigger) ?? 0 });
  },
});
