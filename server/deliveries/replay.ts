import type { Audit } from "../audit/audit.ts";
import type { NormalizedEvent } from "@inlet/events-core";
import type { Delivery } from "../../connectors/kit/mod.ts";
import type { Confirmation, DeliveryRecord, DeliveryStore, Exchange, SerializedEvent } from "../deps.ts";
import { ConflictError, NotFoundError } from "../errors.ts";
import type { Ingest } from "../ingest/pipeline.ts";
import type { OpenReceiver, Receivers } from "../ingest/receivers.ts";

/** How many events the broker has confirmed, and how many the spool has stored, to be published later. */
export type Taken = Pick<Confirmation, "published" | "queued">;

/** A delivery once more, and deliveries made for a test. */
export interface Replay {
  /**
   * The events that a kept delivery becomes with today's code and settings; publishes nothing.
   *
   * @throws {NotFoundError} if there is no such delivery
   * @throws {ConflictError} if its body was not kept, or its connector is not enabled
   * @throws {Error} if it is refused, as it would be on arrival
   */
  preview(workspaceId: string, id: string): Promise<NormalizedEvent[]>;
  /**
   * Publishes those events, with the ids that they had or would have had, though they were published before. Throws
   * likewise.
   */
  publish(workspaceId: string, id: string): Promise<Taken>;
  /**
   * Sends an example delivery, signed with the workspace's secrets, through the whole pipeline.
   *
   * @throws {ConflictError} if the connector is not enabled
   */
  sendExample(workspaceId: string, connectorId: string, example: string): Promise<Taken>;
}

/** What {@link createReplay} works with. */
export interface ReplayParts {
  /** `undefined` where deliveries are not kept. */
  readonly deliveries: DeliveryStore | undefined;
  readonly receivers: Receivers;
  readonly exchange: Exchange;
  readonly ingest: Ingest;
  readonly audit: Audit;
  /** Reads an example delivery of a connector, with a delivery id of its own. */
  readonly readExample: (connectorId: string, example: string, deliveryId: string) => Promise<Delivery>;
}

/** Makes the replay. */
export function createReplay({ deliveries, receivers, exchange, ingest, audit, readExample }: ReplayParts): Replay {
  function enabled(workspaceId: string, connectorId: string): OpenReceiver {
    const open = receivers.of(workspaceId, connectorId);
    if (open !== undefined) return open;
    throw new ConflictError(`Cannot use ${connectorId}: it is not enabled`);
  }

  async function normalizeAgain(workspaceId: string, id: string): Promise<SerializedEvent[]> {
    const record = await deliveries?.get(workspaceId, id);
    if (record === undefined) throw new NotFoundError("Cannot find the delivery: it is unknown, or no longer kept");
    const body = record.bodyKept ? await deliveries?.body(workspaceId, id) : undefined;
    if (body === undefined) throw new ConflictError("Cannot replay the delivery: its body was not kept");
    const open = enabled(workspaceId, record.connectorId);
    return ingest.eventsOf(open, signed(open, record, body));
  }

  return {
    async preview(workspaceId, id) {
      return (await normalizeAgain(workspaceId, id)).map(({ event }) => event);
    },
    async publish(workspaceId, id) {
      const { published, queued } = await exchange.publish(await normalizeAgain(workspaceId, id));
      await audit.note({ action: "published again", workspaceId, subject: `delivery ${id}` });
      return { published, queued };
    },
    async sendExample(workspaceId, connectorId, example) {
      const open = enabled(workspaceId, connectorId);
      const delivery = await readExample(connectorId, example, crypto.randomUUID());
      const headers = open.receiver.sign(delivery);
      const request = { headers, isSmall: true, body: () => Promise.resolve(delivery.body) };
      await audit.note({ action: "sent a test event to", workspaceId, subject: connectorId, detail: example });
      const { published, queued } = await ingest.at(open, request);
      return { published, queued };
    },
  };
}

/**
 * The delivery as it came, signed anew: only bodies that were proven authentic are kept, and normalizing goes through
 * verification here as everywhere.
 */
function signed(open: OpenReceiver, { headers, receivedAt }: DeliveryRecord, body: Uint8Array<ArrayBuffer>): Delivery {
  const unsigned = { headers: new Headers(headers), body, receivedAt };
  return { ...unsigned, headers: open.receiver.sign(unsigned) };
}
