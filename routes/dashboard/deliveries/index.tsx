import { page } from "fresh";
import { z } from "zod";
import { DeliveryFilter } from "../../../components/DeliveryFilter.tsx";
import { DeliveryTable } from "../../../components/DeliveryTable.tsx";
import { define } from "../../(_shared)/define.ts";

const PAGE_SIZE = 50;

// What is no id or no connector's name counts as not given: addresses are typed and cut off.
const querySchema = z.object({
  before: z.uuid().optional().catch(undefined),
  connector: z.string().regex(/^[a-z0-9_-]{1,100}$/).catch(""),
  outcome: z.enum(["refused", ""]).catch(""),
  id: z.string().trim().max(500).catch(""),
});

const addressOf = (query: Record<string, string>) => {
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""));
  return given.size === 0 ? "/dashboard/deliveries" : `/dashboard/deliveries?${given}`;
};

export const handler = define.handlers({
  async GET(ctx) {
    const { dashboard, workspaceId } = ctx.state;
    ctx.state.title = "Deliveries";
    const { before, ...chosen } = querySchema.parse(Object.fromEntries(ctx.url.searchParams));
    const found = await dashboard.deliveries(workspaceId, {
      limit: PAGE_SIZE + 1,
      ...(before && { before }),
      connectorId: chosen.connector || undefined,
      refused: chosen.outcome === "refused",
      id: chosen.id || undefined,
    });
    const deliveries = found.slice(0, PAGE_SIZE);
    const last = found.length > PAGE_SIZE ? deliveries.at(-1)?.id : undefined;
    return page({
      kept: dashboard.keepsDeliveries,
      sources: dashboard.connectors.map(({ manifest: { id, name } }) => ({ id, name })),
      chosen,
      deliveries,
      newest: before === undefined ? undefined : addressOf(chosen),
      older: last === undefined ? undefined : addressOf({ ...chosen, before: last }),
      now: new Date(),
    });
  },
});

export default define.page<typeof handler>(function Deliveries({ data }) {
  const { kept, sources, chosen, deliveries, newest, older, now } = data;
  const nameOf = (id: string) => sources.find((source) => source.id === id)?.name ?? id;
  if (!kept) return <NotKept />;
  return (
    <div class="flex flex-col gap-4">
      <div class="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1>Deliveries</h1>
          <p class="muted">What sources sent of late, and what became of it.</p>
        </div>
        <DeliveryFilter sources={sources} chosen={chosen} />
      </div>
      {deliveries.length === 0
        ? <Empty filtered={Object.values(chosen).some((value) => value !== "")} paged={newest !== undefined} />
        : (
          <div class="card px-2 py-1 sm:px-3">
            <DeliveryTable deliveries={deliveries} nameOf={nameOf} now={now} />
          </div>
        )}
      {(newest ?? older) !== undefined && (
        <nav aria-label="Pages" class="flex justify-between gap-2">
          {newest === undefined ? <span /> : <a class="button" href={newest}>Newest</a>}
          {older !== undefined && <a class="button" rel="next" href={older}>Older</a>}
        </nav>
      )}
    </div>
  );
});

function Empty({ filtered, paged }: { filtered: boolean; paged: boolean }) {
  return (
    <div class="card">
      {paged ? <p>Nothing older is kept.</p> : filtered ? <p>Nothing that is still kept is like that.</p> : (
        <p>
          Nothing has arrived yet. Set up{" "}
          <a href="/dashboard/connectors">a connector</a>, and what its source sends is listed here, accepted or
          refused.
        </p>
      )}
    </div>
  );
}

function NotKept() {
  return (
    <>
      <h1 class="mb-3">Deliveries</h1>
      <div class="card">
        <p>
          Deliveries are not kept: this service runs with <code>DELIVERY_RETENTION</code> or{" "}
          <code>DELIVERY_RETENTION_COUNT</code> set to{" "}
          <code>0</code>. Start it with another value to see here what arrives, and to replay it.
        </p>
      </div>
    </>
  );
}
