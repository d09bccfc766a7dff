import { page } from "fresh";
import { define } from "../../../(_shared)/define.ts";
import { eventTypePageData, requireEventType } from "../../../(_shared)/event_type.ts";
import { EventTypePage } from "../../../(_shared)/EventTypePage.tsx";

export const handler = define.handlers({
  async GET(ctx) {
    const type = requireEventType(ctx.state, ctx.params.type);
    ctx.state.title = type.type;
    return page(await eventTypePageData(ctx.state, type));
  },
});

export default define.page<typeof handler>(function Event({ data, state }) {
  return <EventTypePage data={data} workspaceId={state.workspaceId} />;
});
