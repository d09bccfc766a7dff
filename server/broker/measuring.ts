import type { Broker, Exchange } from "../deps.ts";
import { BrokerUnavailableError } from "../errors.ts";
import type { Meter } from "../metering.ts";

/** Measures how long `exchange` takes to confirm, whoever publishes: a delivery, a poll, or the spool when it is emptied. */
export function measuringExchange(exchange: Exchange, meter: Meter): Exchange {
  return {
    async publish(events, options) {
      const begun = performance.now();
      try {
        const confirmation = await exchange.publish(events, options);
        if (events.length > 0) meter.confirmed(confirmation.published, performance.now() - begun);
        return confirmation;
      } catch (error) {
        if (error instanceof BrokerUnavailableError) meter.unconfirmed(error.confirmed.size);
        throw error;
      }
    },
    health: () => exchange.health(),
    unrouted: () => exchange.unrouted(),
    close: () => exchange.close(),
  };
}

/** {@link measuringExchange} for a broker. */
export function measuringBroker(broker: Broker, meter: Meter): Broker {
  return {
    ...measuringExchange(broker, meter),
    live: broker.live,
    refuseTooLarge: (events) => broker.refuseTooLarge(events),
    onHealth: (listener) => broker.onHealth(listener),
  };
}
