import { page } from "fresh";
import { z } from "zod";
import { searcher } from "../../../components/events/search.ts";
import { EventTypeFilter } from "../../../components/EventTypeFilter.tsx";
import { type EventSource, EventTypeList } from "../../../components/EventTypeList.tsx";
import { define, type State } from "../../(_shared)/define.ts";

// What is too long or no connector's name counts as not given: addresses are typed and cut off.
const querySchema = z.object({
  q: z.string().max(100).catch(""),
  source: z.string().regex(/^[a-z0-9_-]{1,100}$/).catch(""),
});

/** The sources with the types that are looked for; those that are on first. */
async function sourcesWith({ dashboard, workspaceId }: State, search: string, source: string): Promise<EventSource[]> {
  const finds = searcher(search);
  const counts = await dashboard.eventCounts(workspaceId);
  const found = dashboard.events.types().filter((type) => (source === "" || type.source === source) && finds(type));
  const bySource = Map.groupBy(found, (type) => type.source);
  const sources = await Promise.all(dashboard.connectors.map(async ({ manifest: { id, name } }) => {
    const { enabled } = await dashboard.settings.view(workspaceId, id);
    const types = (bySource.get(id) ?? []).map((each) => ({ ...each, seen: counts.get(each.type) ?? 0 }));
    return { id, name, enabled, types };
  }));
  return sources.filter(({ types }) => types.length > 0).sort((a, b) => Number(b.enabled) - Number(a.enabled));
}

export const handler = define.handlers({
  async GET(ctx) {
    const { dashboard } = ctx.state;
    ctx.state.title = "Events";
    const { q, source } = querySchema.parse(Object.fromEntries(ctx.url.searchParams));
    return page({
      search: q,
      source,
      all: dashboard.connectors.map(({ manifest: { id, name } }) => ({ id, name })),
      sources: await sourcesWith(ctx.state, q, source),
    });
  },
});

export default define.page<typeof handler>(function Events({ data: { search, source, all, sources } }) {
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Events</h1>
          <p class="muted">What can come, what it means, and how to take it.</p>
        </div>
        <EventTypeFilter sources={all} source={source} search={search} />
      </div>
      {sources.length === 0
        ? (
          <p class="card">
            No event type is like that. <a href="/dashboard/events">Show all</a>
          </p>
        )
        : <EventTypeList sources={sources} open={search !== "" || source !== ""} />}
    </>
  );
});
