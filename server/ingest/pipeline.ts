import { getLogger } from "@logtape/logtape";
import type { NormalizedEvent } from "@inlet/events-core";
import { type Received, SignatureError } from "../../connectors/kit/mod.ts";
import type { Exchange, SerializedEvent } from "../deps.ts";
import { NotFoundError } from "../errors.ts";
import { eventId } from "./identity.ts";
import type { OpenReceiver, Receivers } from "./receivers.ts";

/** A request at a webhook URL. */
export interface IncomingDelivery {
  readonly connectorId: string;
  readonly webhookToken: string;
  readonly headers: Headers;
  /** Reads the raw body; called only once the URL is known. */
  body(): Promise<Uint8Array<ArrayBuffer>>;
}

/** What became of an accepted delivery. */
export interface Accepted {
  /** How many events the broker confirmed. */
  readonly published: number;
}

/** Takes one delivery all the way: look up, verify, normalize, stamp, publish. */
export type Ingest = (delivery: IncomingDelivery) => Promise<Accepted>;

const log = getLogger(["inlet", "delivery"]);

/**
 * Makes the pipeline. Whatever it throws, nothing of the delivery was accepted and the sender may try again. Each
 * delivery leaves one line in the log, which has ids and the outcome, and nothing that the sender wrote.
 */
export function createIngest(parts: { receivers: Receivers; exchange: Exchange; now: () => Date }): Ingest {
  const { receivers, exchange, now } = parts;

  return async (delivery) => {
    const receivedAt = now();
    const open = receivers.find(delivery.connectorId, delivery.webhookToken);
    const facts = { connectorId: open?.connectorId ?? "unknown", workspaceId: open?.workspaceId };
    const durationMs = () => now().getTime() - receivedAt.getTime();
    try {
      if (open === undefined) {
        throw new NotFoundError("Cannot take the delivery: no enabled connector has this webhook URL");
      }
      const body = await delivery.body();
      const received = open.receiver.receive({ headers: delivery.headers, body, receivedAt });
      const events = stamp(open, received);
      const { published, unrouted } = await exchange.publish(events);
      log.info("accepted {connectorId} delivery {deliveryId}: {published} published in {durationMs} ms", {
        ...facts,
        deliveryId: received.deliveryId,
        published,
        unrouted,
        durationMs: durationMs(),
      });
      return { published };
    } catch (error) {
      log.warning("refused {connectorId} delivery: {reason} after {durationMs} ms", {
        ...facts,
        reason: reasonOf(error),
        durationMs: durationMs(),
      });
      throw error;
    }
  };
}

/** The kind of error, for the log: a message might quote what the sender wrote. */
function reasonOf(error: unknown): string {
  if (error instanceof SignatureError) return `signature ${error.fault}`;
  return error instanceof Error ? error.name : "unknown";
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
