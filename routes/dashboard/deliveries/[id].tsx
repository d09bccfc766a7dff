import { type FreshContext, HttpError, page } from "fresh";
import { z } from "zod";
import { DeliveryEvents } from "../../../components/DeliveryEvents.tsx";
import { DeliveryFacts, DeliveryHeaders } from "../../../components/DeliveryFacts.tsx";
import { DeliveryReplay, type DeliveryReplayState } from "../../../components/DeliveryReplay.tsx";
import { countEvents } from "../../../components/DeliveryStatus.tsx";
import type { DeliveryRecord } from "../../../server/deps.ts";
import { define, type State } from "../../(_shared)/define.ts";

const querySchema = z.object({
  preview: z.string().optional(),
  /** How many events a replay has published, for the notice after it. */
  published: z.string().regex(/^\d{1,6}$/).transform(Number).optional().catch(undefined),
});

async function find({ params, state }: FreshContext<State>): Promise<DeliveryRecord> {
  const id = z.uuid().safeParse(params.id);
  const record = id.success ? await state.dashboard.delivery(state.workspaceId, id.data) : undefined;
  if (record === undefined) throw new HttpError(404);
  return record;
}

/** Why a delivery cannot be replayed at present, if so. */
async function obstacle({ dashboard, workspaceId }: State, record: DeliveryRecord) {
  const { connectorId, bodyKept, bodyBytes } = record;
  const at = "impossible" as const;
  if (!bodyKept) {
    const reason = bodyBytes === null
      ? "It cannot be replayed: its body was not read."
      : "It cannot be replayed: its body was not kept. Only bodies that are proven authentic are, and none that is very large.";
    return { at, reason };
  }
  const name = dashboard.connector(connectorId)?.manifest.name;
  if (name === undefined) return { at, reason: "It cannot be replayed: this service no longer has its connector." };
  if ((await dashboard.settings.view(workspaceId, connectorId)).enabled) return undefined;
  const link = { href: `/dashboard/connectors/${connectorId}`, text: "Enable it" };
  return { at, reason: `It cannot be replayed while the connector ${name} is disabled.`, link };
}

/** Does something of a replay; what stops it is shown beside the button. */
async function attempt(
  { dashboard }: State,
  heading: string,
  act: () => Promise<DeliveryReplayState>,
): Promise<{ replay: DeliveryReplayState; status: number }> {
  try {
    return { replay: await act(), status: 200 };
  } catch (error) {
    const { status, detail, errors = [] } = dashboard.problem(error);
    const faults = errors.map(({ pointer, detail }) => pointer === undefined ? detail : `${pointer}: ${detail}`);
    return { replay: { at: "refused", heading, reason: detail, faults }, status };
  }
}

async function show(
  { state }: FreshContext<State>,
  delivery: DeliveryRecord,
  { replay, status }: { replay: DeliveryReplayState; status: number },
  published?: number,
) {
  state.title = "Delivery";
  const source = state.dashboard.connector(delivery.connectorId)?.manifest.name ?? delivery.connectorId;
  return page({ delivery, source, replay: await obstacle(state, delivery) ?? replay, published, now: new Date() }, {
    status,
  });
}

export const handler = define.handlers({
  async GET(ctx) {
    const record = await find(ctx);
    const { preview, published } = querySchema.parse(Object.fromEntries(ctx.url.searchParams));
    const { dashboard, workspaceId } = ctx.state;
    const shown = preview === undefined
      ? { replay: { at: "offered" as const }, status: 200 }
      : await attempt(ctx.state, "With today's code and settings it is refused", async () => {
        return { at: "previewed", events: await dashboard.replay.preview(workspaceId, record.id) };
      });
    // To look is no failure, whatever is seen.
    return await show(ctx, record, { ...shown, status: 200 }, published);
  },
  async POST(ctx) {
    const record = await find(ctx);
    const { dashboard, workspaceId } = ctx.state;
    let published: number | undefined;
    const { replay, status } = await attempt(ctx.state, "It could not be published", async () => {
      published = await dashboard.replay.publish(workspaceId, record.id);
      return { at: "offered" };
    });
    if (published === undefined) return await show(ctx, record, { replay, status });
    return ctx.redirect(`/dashboard/deliveries/${record.id}?published=${published}`, 303);
  },
});

export default define.page<typeof handler>(function Delivery({ data, url }) {
  const { delivery, source, replay, published, now } = data;
  const { events } = delivery;
  return (
    <div class="flex flex-col gap-4">
      <div>
        <p class="muted">
          <a href="/dashboard/deliveries">Deliveries</a>
        </p>
        <h1>Delivery from {source}</h1>
      </div>
      {published !== undefined && (
        <p role="status" class="card border-good py-2">{`Replayed: ${countEvents(published)} published.`}</p>
      )}
      <DeliveryFacts delivery={delivery} source={source} now={now} />
      <section aria-labelledby="events" class="card">
        <h2 id="events" class="mb-2">Events</h2>
        {events.length === 0
          ? (
            <p class="muted">
              {delivery.refusal === null ? "None: nothing in it becomes an event." : "None: it was refused."}
            </p>
          )
          : <DeliveryEvents events={events} caption="Events of this delivery" />}
        {delivery.duplicate && <p class="muted mt-2">It had been accepted before: nothing was published again.</p>}
        {delivery.queued > 0 && (
          <p class="muted mt-2">
            {`The broker did not confirm ${countEvents(delivery.queued)} in time: stored, and published when it does.`}
          </p>
        )}
        {delivery.refusal !== null && events.length > 0 && (
          <p class="muted mt-2">It was refused when these were to be published: they may not have reached anybody.</p>
        )}
        {delivery.published > events.length && (
          <p class="muted mt-2">{`The first ${events.length} of ${countEvents(delivery.published)}.`}</p>
        )}
      </section>
      <DeliveryReplay state={replay} path={url.pathname} />
      <DeliveryHeaders headers={delivery.headers} />
    </div>
  );
});
