import { topicMatches } from "@inlet/events-core";
import type { Exchange, SerializedEvent } from "../deps.ts";

/** A topic exchange inside this process. */
export interface EmbeddedExchange extends Exchange {
  /** Calls `listener` for each event whose type matches the topic `pattern`; gives a function that ends it. */
  bind(pattern: string, listener: (events: readonly SerializedEvent[]) => void): () => void;
}

/**
 * Makes an in-process topic exchange: the service is useful before there is a broker. It keeps nothing: an event that
 * nobody is bound for is gone, and counted as unrouted.
 */
export function embeddedExchange(): EmbeddedExchange {
  const bindings = new Set<{ pattern: string; listener: (events: readonly SerializedEvent[]) => void }>();
  let unroutedSoFar = 0;

  function bind(pattern: string, listener: (events: readonly SerializedEvent[]) => void): () => void {
    const binding = { pattern, listener };
    bindings.add(binding);
    return () => bindings.delete(binding);
  }

  return {
    bind,
    publish(events) {
      const routed = new Set<SerializedEvent>();
      for (const { pattern, listener } of bindings) {
        const matching = events.filter(({ event }) => topicMatches(pattern, event.type));
        for (const event of matching) routed.add(event);
        if (matching.length > 0) listener(matching);
      }
      const unrouted = events.length - routed.size;
      unroutedSoFar += unrouted;
      return Promise.resolve({ published: events.length, unrouted, queued: 0 });
    },
    subscribe: (listener) => Promise.resolve(bind("#", listener)),
    health: () => ({ ok: true, detail: "embedded exchange: events reach only the live stream (AMQP_URL is not set)" }),
    unrouted: () => unroutedSoFar,
    close() {
      bindings.clear();
      return Promise.resolve();
    },
  };
}
