import { page } from "fresh";
import { z } from "zod";
import { AuditTable } from "../../../components/AuditTable.tsx";
import { define } from "../../(_shared)/define.ts";

const PAGE = 50;

// What is no id counts as not given.
const querySchema = z.object({ before: z.uuid().optional().catch(undefined) });

export const handler = define.handlers({
  async GET(ctx) {
    const { state, url } = ctx;
    state.title = "Changes";
    const { before } = querySchema.parse(Object.fromEntries(url.searchParams));
    const inAll = url.searchParams.has("all");
    const scope = inAll ? {} : { workspaceId: state.workspaceId };
    // One more than is shown tells whether there are older ones.
    const entries = await state.dashboard.audit({ limit: PAGE + 1, before, ...scope });
    const older = entries.length > PAGE ? entries[PAGE - 1]?.id : undefined;
    return page({ entries: entries.slice(0, PAGE), older, inAll, isFirst: before === undefined, now: new Date() });
  },
});

export default define.page<typeof handler>(
  function AuditPage({ data: { entries, older, inAll, isFirst, now }, state }) {
    const all = inAll ? "all&" : "";
    return (
      <>
        <div class="page-head">
          <div>
            <p class="muted">
              <a href="/dashboard/workspaces">Workspaces</a>
            </p>
            <h1>Changes</h1>
            <p class="muted wrap-anywhere">
              {inAll ? "Everything, sign-ins included. " : (
                <>
                  Of the workspace <bdi>{state.workspaceName}</bdi>.{" "}
                </>
              )}
              {inAll
                ? <a href="/dashboard/audit">Only this workspace</a>
                : <a href="/dashboard/audit?all">Everything, sign-ins included</a>}
            </p>
          </div>
        </div>
        <section class="card">
          {entries.length > 0 ? <AuditTable rows={entries} now={now} /> : <p class="muted">Nothing was changed yet.</p>}
        </section>
        <p class="mt-3 flex gap-4">
          {!isFirst && <a href={`/dashboard/audit${inAll ? "?all" : ""}`}>Newest</a>}
          {older !== undefined && <a href={`/dashboard/audit?${all}before=${older}`}>Older</a>}
        </p>
      </>
    );
  },
);
