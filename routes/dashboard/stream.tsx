import { page } from "fresh";
import { streamCommand } from "../../components/stream/commands.ts";
import { readFilter } from "../../components/stream/filter.ts";
import { TYPE_LIST_ID } from "../../components/StreamFilters.tsx";
import EventStream from "../../islands/EventStream.tsx";
import { isOverHttps } from "../(_shared)/cookies.ts";
import { define } from "../(_shared)/define.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { dashboard, workspaceId, signsIn } = ctx.state;
    ctx.state.title = "Live stream";
    const path = `/events/stream?workspaceId=${workspaceId}`;
    // An API key goes with it: not over plain HTTP where the browser came by HTTPS.
    const origin = `${isOverHttps(ctx.req) ? "https" : "http"}://${ctx.url.host}`;
    return page({
      path,
      command: streamCommand(origin + path, signsIn),
      signsIn,
      filter: readFilter(ctx.url.searchParams),
      sources: dashboard.connectors.map(({ manifest: { id, name } }) => ({ id, name })),
      types: dashboard.connectors.flatMap(({ manifest: { triggers } }) => triggers),
    });
  },
});

export default define.page<typeof handler>(function Stream({ data }) {
  const { path, command, signsIn, filter, sources, types } = data;
  return (
    <>
      <h1 class="mb-3">Live stream</h1>
      <noscript>
        <div class="card mb-4 flex flex-col gap-2">
          <p>
            To show events here as they come, this page needs JavaScript. Without it, watch them in a terminal:
          </p>
          <pre class="overflow-x-auto rounded bg-sunken p-3" tabIndex={0}><code>{command}</code></pre>
          {signsIn && (
            <p>
              With an <a href="/dashboard/workspaces">API key of this workspace</a>.
            </p>
          )}
          <p>
            Or see <a href="/dashboard/deliveries">what arrived of late</a>.
          </p>
        </div>
      </noscript>
      <div class="noscript:hidden">
        <EventStream url={path} filter={filter} sources={sources} />
      </div>
      <datalist id={TYPE_LIST_ID}>{types.map((type) => <option key={type} value={type} />)}</datalist>
    </>
  );
});
