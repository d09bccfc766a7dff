import type { Exchange, Live } from "../deps.ts";
import { LiveListeners } from "./live_listeners.ts";

/** An exchange inside this process, and the live events of it alone. */
export interface EmbeddedExchange extends Exchange {
  readonly live: Live;
}

/**
 * Makes an exchange in this process: the service is useful before there is a broker. It keeps nothing, and only live streams
 * get its events: those that come while there is none are counted as unrouted.
 */
export function embeddedExchange(): EmbeddedExchange {
  const listeners = new LiveListeners();
  let unroutedSoFar = 0;

  return {
    live: {
      announce: (events) => listeners.tell(events),
      subscribe: (listener) => Promise.resolve(listeners.add(listener)),
    },
    publish(events) {
      const unrouted = listeners.size === 0 ? events.length : 0;
      unroutedSoFar += unrouted;
      return Promise.resolve({ published: events.length, unrouted, queued: 0 });
    },
    health: () => ({ ok: true, detail: "embedded exchange: events reach only the live stream (AMQP_URL is not set)" }),
    unrouted: () => unroutedSoFar,
    close() {
      listeners.clear();
      return Promise.resolve();
    },
  };
}
