import type { AcceptedDeliveries, DeliveryKey } from "../deps.ts";

/** Lets each delivery be accepted once, however often and from wherever it comes. */
export interface Once {
  /**
   * Gives what `accept` gives, which is to record the delivery as accepted; `undefined` without calling it if the
   * delivery was accepted before. Of two copies at the same moment one is accepted, and the other waits for its outcome:
   * if it fails, the other is tried.
   */
  attempt<T>(delivery: DeliveryKey, accept: () => Promise<T>): Promise<T | undefined>;
}

/**
 * Recognizes deliveries that were accepted before by what is stored of them, so that it holds over restarts and for
 * several processes. `undefined`: recognizes none.
 */
export function createOnce(accepted: AcceptedDeliveries | undefined): Once {
  const underWay = new Map<string, Promise<unknown>>();
  return {
    async attempt(delivery, accept) {
      if (accepted === undefined) return await accept();
      const { id } = delivery;
      for (let other = underWay.get(id); other !== undefined; other = underWay.get(id)) {
        await Promise.allSettled([other]);
      }
      const attempt = (async () => await accepted.has(delivery) ? undefined : await accept())();
      underWay.set(id, attempt);
      try {
        return await attempt;
      } finally {
        underWay.delete(id);
      }
    },
  };
}
