import { getLogger } from "@logtape/logtape";
import { v7 as uuidv7 } from "uuid";
import { type Delivery, type Received, type Reply, SignatureError } from "../../connectors/kit/mod.ts";
import type { Recorder } from "../deliveries/recorder.ts";
import type { Confirmation, DeliveryRecord, Exchange, SerializedEvent } from "../deps.ts";
import { DeliveryLimitError, NotFoundError } from "../errors.ts";
import type { Limits } from "../limits.ts";
import type { DeliveryOutcome, Meter } from "../metering.ts";
import type { DeliveryTrace, Tracing } from "../telemetry/tracing.ts";
import { deliveryKey } from "./identity.ts";
import { checkDrafts, roomForEvents } from "./limits.ts";
import type { Once } from "./once.ts";
import type { OpenReceiver, Receivers } from "./receivers.ts";
import { stamp } from "./stamp.ts";

/** A request of a source. */
export interface IncomingDelivery {
  readonly headers: Headers;
  /** Whether the body is known to be so small that reading it costs less than verifying the headers beforehand. */
  readonly isSmall: boolean;
  /** Reads the raw body; called only once it is known for whom it is. */
  body(): Promise<Uint8Array<ArrayBuffer>>;
}

/** What became of an accepted delivery. */
export interface Accepted {
  /** How many events the broker confirmed. */
  readonly published: number;
  /** How many are stored, to be published when the broker takes them. */
  readonly queued: number;
  /** Whether it had been accepted before: nothing was published then. */
  readonly duplicate: boolean;
  /** What the source wants to be answered; `undefined`: nothing of its own. */
  readonly reply: Reply | undefined;
}

/**
 * Takes deliveries all the way: verify, normalize, stamp, publish, account for. Whatever is thrown, nothing of the
 * delivery was accepted and the sender may try again.
 */
export interface Ingest {
  /** @throws {NotFoundError} if no enabled connector has this webhook URL */
  atUrl(connectorId: string, webhookToken: string, delivery: IncomingDelivery): Promise<Accepted>;
  /** For a connector that is known already. */
  at(open: OpenReceiver, delivery: IncomingDelivery): Promise<Accepted>;
  /**
   * Verifies and normalizes a delivery and gives the events that it becomes; publishes nothing.
   *
   * @throws {Error} if it is refused, as it would be on arrival
   */
  eventsOf(open: OpenReceiver, delivery: Delivery): SerializedEvent[];
}

/** What {@link createIngest} works with. */
export interface IngestParts {
  readonly receivers: Receivers;
  readonly exchange: Exchange;
  readonly recorder: Recorder;
  readonly once: Once;
  readonly meter: Meter;
  /** `undefined`: nobody wants traces. */
  readonly tracing: Tracing | undefined;
  /** What an error is answered with, for the account. */
  readonly problemOf: (error: unknown) => Problem;
  readonly limits: Pick<Limits, "maxEventsPerDelivery" | "maxJsonDepth">;
  readonly now: () => Date;
}

/** What a refusal is answered with (RFC 9457). */
type Problem = { readonly type: string; readonly status: number; readonly title: string; readonly detail: string };

/** The account of a delivery names this many of its events. */
const EVENTS_SHOWN = 50;

const log = getLogger(["inlet", "delivery"]);

/** Makes the pipeline. Each delivery leaves one line in the log: ids and the outcome, and nothing that the sender wrote. */
export function createIngest(parts: IngestParts): Ingest {
  const { receivers, exchange, recorder, once, meter, tracing, problemOf, limits, now } = parts;
  // Deliveries of one millisecond stay in order.
  let sequence = 0;

  async function at(open: OpenReceiver, incoming: IncomingDelivery): Promise<Accepted> {
    const receivedAt = now();
    const id = uuidv7({ msecs: receivedAt.getTime(), seq: sequence++ });
    const { connectorId } = open;
    const took = new Taken(id, open, incoming.headers, receivedAt, now);
    const trace = tracing?.delivery({ id, connectorId, workspaceId: open.workspaceId }, incoming.headers);
    try {
      if (!incoming.isSmall) open.receiver.refuseUnsigned(incoming.headers, receivedAt);
      const body = took.body = await incoming.body();
      trace?.step("verify");
      const delivery = { headers: incoming.headers, body, receivedAt };
      const received = took.received = open.receiver.receive(delivery, () => trace?.step("normalize"));
      const events = took.events = stampReceived(open, received, body.length, limits);
      const outcome = await accept(open, received, events, trace);
      const recorded = took.accepted(outcome);
      recorder.record(recorded);
      meter.delivered(connectorId, outcomeOf(outcome, events), recorded.record.durationMs);
      trace?.end(recorded.record.status);
      return { ...outcome, reply: received.reply };
    } catch (error) {
      const problem = problemOf(error);
      const recorded = took.refused(error, problem);
      recorder.record(recorded);
      const reason = problem.type.slice(problem.type.lastIndexOf(":") + 1);
      const fault = error instanceof SignatureError ? error.fault : undefined;
      meter.refused(connectorId, { reason, fault }, recorded.record.durationMs);
      trace?.end(problem.status, reason);
      throw error;
    }
  }

  async function accept(
    { workspaceId, connectorId, patienceMs }: OpenReceiver,
    { deliveryId }: Received,
    events: readonly SerializedEvent[],
    trace: DeliveryTrace | undefined,
  ): Promise<Outcome> {
    const delivery = deliveryKey(workspaceId, connectorId, deliveryId);
    // What becomes no event can come as often as it likes.
    const confirmation = events.length === 0 ? { published: 0, unrouted: 0, queued: 0 } : await once.attempt(
      delivery,
      () => exchange.publish(trace?.publish(events) ?? events, { delivery, patienceMs }),
    );
    return { published: 0, unrouted: 0, queued: 0, ...confirmation, duplicate: confirmation === undefined };
  }

  return {
    at,
    eventsOf: (open, delivery) => stampReceived(open, open.receiver.receive(delivery), delivery.body.length, limits),
    async atUrl(connectorId, webhookToken, delivery) {
      const open = receivers.find(connectorId, webhookToken);
      if (open !== undefined) return await at(open, delivery);
      log.warning("refused a delivery at an unknown URL");
      meter.refusedUnknown();
      throw new NotFoundError("Cannot take the delivery: no enabled connector has this webhook URL");
    },
  };
}

function stampReceived(
  { workspaceId, connectorId }: OpenReceiver,
  { deliveryId, drafts }: Received,
  bodyBytes: number,
  limits: IngestParts["limits"],
): SerializedEvent[] {
  checkDrafts(drafts, limits);
  const room = roomForEvents(bodyBytes);
  let characters = 0;
  return drafts.map((draft, index) => {
    const place = draft.key === undefined ? { occurrence: deliveryId, index } : { occurrence: draft.key, index: 0 };
    const stamped = stamp({ workspaceId, connectorId, ...place }, draft);
    characters += stamped.json.length;
    if (characters <= room) return stamped;
    // Thousands of commits, each told with a name of megabytes, would take all memory there is.
    throw new DeliveryLimitError(
      `Cannot take the delivery: its ${drafts.length} events would be more than ${room} characters; send it in parts`,
    );
  });
}

type Outcome = Confirmation & Pick<Accepted, "duplicate">;

function outcomeOf(
  { queued, duplicate }: Outcome,
  events: readonly SerializedEvent[],
): Exclude<DeliveryOutcome, "refused"> {
  if (duplicate) return "duplicate";
  if (events.length === 0) return "empty";
  return queued > 0 ? "spooled" : "published";
}

/** How far a delivery has come, for the account and the log. */
class Taken {
  body: Uint8Array<ArrayBuffer> | undefined;
  received: Received | undefined;
  events: readonly SerializedEvent[] = [];

  constructor(
    private readonly id: string,
    private readonly open: OpenReceiver,
    private readonly headers: Headers,
    private readonly receivedAt: Date,
    private readonly now: () => Date,
  ) {}

  accepted({ published, unrouted, queued, duplicate }: Outcome) {
    const record = this.#record({ status: queued > 0 ? 202 : 200, refusal: null, published, queued, duplicate });
    const message = duplicate
      ? "had {connectorId} delivery {deliveryId} before: nothing published, in {durationMs} ms"
      : queued > 0
      ? "accepted {connectorId} delivery {deliveryId}: {published} published, {queued} spooled in {durationMs} ms"
      : "accepted {connectorId} delivery {deliveryId}: {published} published in {durationMs} ms";
    log.info(message, { ...this.#facts(record), published, unrouted, queued });
    return { record, body: this.body, types: this.events.map(({ event }) => event.type) };
  }

  refused(error: unknown, { status, title, detail }: Problem) {
    const authentic = this.body !== undefined && !(error instanceof SignatureError);
    const record = this.#record({ status, refusal: detail, bodyKept: authentic });
    log.warning("refused {connectorId} delivery: {reason} after {durationMs} ms", {
      ...this.#facts(record),
      // The detail might quote what the sender wrote.
      reason: error instanceof SignatureError ? `${title}: ${error.fault}` : title,
    });
    return { record, body: authentic ? this.body : undefined, types: [] };
  }

  #record(
    outcome: Pick<DeliveryRecord, "status" | "refusal"> & Partial<DeliveryRecord>,
  ): DeliveryRecord {
    const agent = this.headers.get("user-agent");
    const kept = this.received?.keptHeaders ?? this.open.receiver.keptHeaders(this.headers);
    return {
      id: this.id,
      workspaceId: this.open.workspaceId,
      connectorId: this.open.connectorId,
      receivedAt: this.receivedAt,
      deliveryId: this.received?.deliveryId ?? null,
      events: this.events.slice(0, EVENTS_SHOWN).map(({ event: { id, type } }) => ({ id, type })),
      durationMs: this.now().getTime() - this.receivedAt.getTime(),
      bodyBytes: this.body?.length ?? null,
      headers: {
        ...Object.fromEntries(kept),
        ...(agent && { "user-agent": agent }),
      },
      bodyKept: true,
      published: 0,
      queued: 0,
      duplicate: false,
      ...outcome,
    };
  }

  #facts({ workspaceId, connectorId, deliveryId, durationMs }: DeliveryRecord) {
    return { workspaceId, connectorId, deliveryId, durationMs };
  }
}
