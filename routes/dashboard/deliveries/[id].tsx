import { type FreshContext, HttpError, page } from "fresh";
import { z } from "zod";
import { DeliveryEvents } from "../../../components/DeliveryEvents.tsx";
import { DeliveryFacts, DeliveryHeaders } from "../../../components/DeliveryFacts.tsx";
import { DeliveryReplay, type DeliveryReplayState } from "../../../components/DeliveryReplay.tsx";
import { countEvents, takenEvents } from "../../../components/words.ts";
import type { Taken } from "../../../server/deliveries/replay.ts";
import type { DeliveryRecord } from "../../../server/deps.ts";
import { countSchema } from "../../(_shared)/count.ts";
import { define, type State } from "../../(_shared)/define.ts";
import { problemOrThrow, readWorkspaceForm } from "../../(_shared)/form.ts";

const count = countSchema.optional().catch(undefined);
const querySchema = z.object({
  preview: z.string().optional(),
  /** What became of the events of a replay, for the notice after it. */
  published: count,
  queued: count,
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

interface Refused {
  readonly replay: DeliveryReplayState;
  readonly status: number;
}

/** Does something of a replay; what stops it is shown beside the button. */
async function attempt<Done>(
  { dashboard }: Pick<State, "dashboard">,
  heading: string,
  act: () => Promise<Done>,
): Promise<{ readonly done: Done } | Refused> {
  try {
    return { done: await act() };
  } catch (error) {
    const { detail: reason, errors = [], status } = problemOrThrow(dashboard, error);
    const faults = errors.map(({ pointer, detail }) => pointer === undefined ? detail : `${pointer}: ${detail}`);
    return { replay: { at: "refused", heading, reason, faults }, status };
  }
}

/** What a replay would publish. */
async function preview({ dashboard, workspaceId }: State, id: string): Promise<DeliveryReplayState> {
  const heading = "With today's code and settings it is refused";
  const looked = await attempt({ dashboard }, heading, () => dashboard.replay.preview(workspaceId, id));
  return "done" in looked ? { at: "previewed", events: looked.done } : looked.replay;
}

async function show(
  { state }: FreshContext<State>,
  delivery: DeliveryRecord,
  { replay, status = 200, taken }: { replay: DeliveryReplayState; status?: number; taken?: Taken | undefined },
) {
  state.title = "Delivery";
  const source = state.dashboard.connector(delivery.connectorId)?.manifest.name ?? delivery.connectorId;
  const shown = await obstacle(state, delivery) ?? replay;
  return page({ delivery, source, replay: shown, taken, now: new Date() }, { status });
}

export const handler = define.handlers({
  async GET(ctx) {
    const record = await find(ctx);
    const query = querySchema.parse(Object.fromEntries(ctx.url.searchParams));
    const { published, queued = 0 } = query;
    const taken = published === undefined ? undefined : { published, queued };
    // To look is no failure, whatever is seen.
    const replay = query.preview === undefined ? { at: "offered" as const } : await preview(ctx.state, record.id);
    return await show(ctx, record, { replay, taken });
  },
  async POST(ctx) {
    await readWorkspaceForm(ctx);
    const record = await find(ctx);
    const { dashboard, workspaceId } = ctx.state;
    const outcome = await attempt(
      ctx.state,
      "It could not be published",
      () => dashboard.replay.publish(workspaceId, record.id),
    );
    if (!("done" in outcome)) return await show(ctx, record, outcome);
    const { published, queued } = outcome.done;
    return ctx.redirect(`/dashboard/deliveries/${record.id}?published=${published}&queued=${queued}`, 303);
  },
});

export default define.page<typeof handler>(function Delivery({ data, url }) {
  const { delivery, source, replay, taken, now } = data;
  const { events } = delivery;
  const all = delivery.published + delivery.queued;
  return (
    <div class="flex flex-col gap-4">
      <div>
        <p class="muted">
          <a href="/dashboard/deliveries">Deliveries</a>
        </p>
        <h1>Delivery from {source}</h1>
      </div>
      {taken !== undefined && <p role="status" class="card border-good py-2">{`Replayed: ${takenEvents(taken)}.`}</p>}
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
        {all > events.length && <p class="muted mt-2">{`The first ${events.length} of ${countEvents(all)}.`}</p>}
      </section>
      <DeliveryReplay state={replay} path={url.pathname} />
      <DeliveryHeaders headers={delivery.headers} />
    </div>
  );
});
