import { getLogger } from "@logtape/logtape";
import type { AcceptedDeliveries, DeliveryKey, Exchange, Journal, Live, SerializedEvent } from "../deps.ts";
import { BrokerUnavailableError } from "../errors.ts";

/** Where {@link journaling} keeps what is confirmed, and announces it. */
export interface JournalingParts {
  /** Records deliveries as accepted together with their events; `undefined`: live streams do not resume. */
  readonly journal: Journal | undefined;
  /** `undefined`: repeats of deliveries are not recognized. */
  readonly accepted: AcceptedDeliveries | undefined;
  readonly live: Live;
}

const log = getLogger(["inlet", "broker"]);

/**
 * Keeps each event that `exchange` confirms in the journal, and its delivery as accepted, before the publish resolves; then
 * live streams have it. Whoever publishes, and whenever: pipeline, replay, poller, and the spool when it is emptied.
 *
 * In this order, since a stream resumes after its last event: if the process ends before the journal has that, its delivery
 * is sent again, perhaps to another process, and so the event would come to stand behind what no stream has had.
 */
export function journaling(exchange: Exchange, { journal, accepted, live }: JournalingParts): Exchange {
  /** The broker has the events: what cannot be kept is no reason to have them sent again, or not to show them. */
  async function keep(events: readonly SerializedEvent[], delivery?: DeliveryKey): Promise<void> {
    const isKept = await attempt(journal?.append(events, delivery));
    live.announce(events);
    if (delivery !== undefined && !isKept) await attempt(accepted?.record(delivery));
  }

  return {
    async publish(events, options) {
      // Either way is as long: what is confirmed in one instant is kept, and announced, in that order.
      try {
        const confirmation = await exchange.publish(events, options);
        await keep(events, options?.delivery);
        return confirmation;
      } catch (error) {
        if (error instanceof BrokerUnavailableError && error.confirmed.size > 0) {
          await keep(events.filter(({ event }) => error.confirmed.has(event.id)));
        }
        throw error;
      }
    },
    health: () => exchange.health(),
    unrouted: () => exchange.unrouted(),
    close: () => exchange.close(),
  };
}

/** Whether there was something to do and it is done. */
async function attempt(work: Promise<void> | undefined): Promise<boolean> {
  try {
    await work;
    return work !== undefined;
  } catch (reason) {
    log.error("cannot keep confirmed events: {reason}", { reason });
    return false;
  }
}
