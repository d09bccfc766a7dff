import { getLogger } from "@logtape/logtape";
import type { NormalizedEvent } from "@inlet/events-core";
import { v7 as uuidv7 } from "uuid";
import { type Delivery, type Received, SignatureError } from "../../connectors/kit/mod.ts";
import type { Recorder } from "../deliveries/recorder.ts";
import type { Confirmation, DeliveryRecord, Exchange, Journal, SerializedEvent } from "../deps.ts";
import { NotFoundError } from "../errors.ts";
import { eventId } from "./identity.ts";
import type { OpenReceiver, Receivers } from "./receivers.ts";

/** A request of a source. */
export interface IncomingDelivery {
  readonly headers: Headers;
  /** Reads the raw body; called only once it is known for whom it is. */
  body(): Promise<Uint8Array<ArrayBuffer>>;
}

/** What became of an accepted delivery. */
export interface Accepted {
  /** How many events the broker confirmed. */
  readonly published: number;
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
}

/** What {@link createIngest} works with. */
export interface IngestParts {
  readonly receivers: Receivers;
  readonly exchange: Exchange;
  readonly recorder: Recorder;
  readonly journal: Journal | undefined;
  /** What an error is answered with, for the account. */
  readonly problemOf: (error: unknown) => { readonly status: number; readonly title: string; readonly detail: string };
  readonly now: () => Date;
}

/** The account of a delivery names this many of its events. */
const EVENTS_SHOWN = 50;

const log = getLogger(["inlet", "delivery"]);

/** Makes the pipeline. Each delivery leaves one line in the log: ids and the outcome, and nothing that the sender wrote. */
export function createIngest({ receivers, exchange, recorder, journal, problemOf, now }: IngestParts): Ingest {
  // Deliveries of one millisecond stay in order.
  let sequence = 0;

  async function at(open: OpenReceiver, incoming: IncomingDelivery): Promise<Accepted> {
    const receivedAt = now();
    const id = uuidv7({ msecs: receivedAt.getTime(), seq: sequence++ });
    const took = new Taken(id, open, incoming.headers, receivedAt, now);
    try {
      open.receiver.refuseUnsigned(incoming.headers, receivedAt);
      const body = took.body = await incoming.body();
      const received = took.received = open.receiver.receive({ headers: incoming.headers, body, receivedAt });
      const events = took.events = stamp(open, received);
      const confirmation = await exchange.publish(events);
      await keep(events);
      recorder.record(took.accepted(confirmation));
      return { published: confirmation.published };
    } catch (error) {
      recorder.record(took.refused(error, problemOf(error)));
      throw error;
    }
  }

  /** The broker has the events: a stream that cannot resume past them is no reason to have them sent again. */
  async function keep(events: readonly SerializedEvent[]): Promise<void> {
    if (journal === undefined || events.length === 0) return;
    await journal.append(events).catch((error) => log.error("cannot keep events for live streams: {error}", { error }));
  }

  return {
    at,
    async atUrl(connectorId, webhookToken, delivery) {
      const open = receivers.find(connectorId, webhookToken);
      if (open !== undefined) return await at(open, delivery);
      log.warning("refused a delivery at an unknown URL");
      throw new NotFoundError("Cannot take the delivery: no enabled connector has this webhook URL");
    },
  };
}

/**
 * Verifies and normalizes a delivery and gives the events it becomes, published or not.
 *
 * @throws {Error} as {@link Receiver.receive} does
 */
export function eventsOf(open: OpenReceiver, delivery: Delivery): SerializedEvent[] {
  return stamp(open, open.receiver.receive(delivery));
}

function stamp({ workspaceId, connectorId }: OpenReceiver, { deliveryId, drafts }: Received): SerializedEvent[] {
  return drafts.map(({ type, occurredAt, actor, subject, payload }, index) => {
    const event: NormalizedEvent = {
      id: eventId(workspaceId, connectorId, deliveryId, index),
      type,
      workspaceId,
      occurredAt: occurredAt.toISOString(),
      source: connectorId,
      actor,
      subject,
      payload,
    };
    return { event, json: JSON.stringify(event) };
  });
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

  accepted({ published, unrouted }: Confirmation) {
    const record = this.#record({ status: 200, refusal: null, published });
    log.info("accepted {connectorId} delivery {deliveryId}: {published} published in {durationMs} ms", {
      ...this.#facts(record),
      published,
      unrouted,
    });
    return { record, body: this.body };
  }

  refused(error: unknown, { status, title, detail }: ReturnType<IngestParts["problemOf"]>) {
    const authentic = this.body !== undefined && !(error instanceof SignatureError);
    const record = this.#record({ status, refusal: detail, published: 0, bodyKept: authentic });
    log.warning("refused {connectorId} delivery: {reason} after {durationMs} ms", {
      ...this.#facts(record),
      // The detail might quote what the sender wrote.
      reason: error instanceof SignatureError ? `${title}: ${error.fault}` : title,
    });
    return { record, body: authentic ? this.body : undefined };
  }

  #record(
    outcome: Pick<DeliveryRecord, "status" | "refusal" | "published"> & { bodyKept?: boolean },
  ): DeliveryRecord {
    const agent = this.headers.get("user-agent");
    return {
      id: this.id,
      workspaceId: this.open.workspaceId,
      connectorId: this.open.connectorId,
      receivedAt: this.receivedAt,
      deliveryId: this.received?.deliveryId ?? null,
      events: this.events.slice(0, EVENTS_SHOWN).map(({ event: { id, type } }) => ({ id, type })),
      durationMs: this.now().getTime() - this.receivedAt.getTime(),
      bodyBytes: this.body?.length ?? null,
      headers: { ...Object.fromEntries(this.open.keptHeaders(this.headers)), ...(agent && { "user-agent": agent }) },
      bodyKept: true,
      ...outcome,
    };
  }

  #facts({ workspaceId, connectorId, deliveryId, durationMs }: DeliveryRecord) {
    return { workspaceId, connectorId, deliveryId, durationMs };
  }
}
