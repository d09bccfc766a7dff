import type { Exchange, Health, SpoolHealth, SpoolingExchange } from "./deps.ts";

/** What {@link readinessOf} looks at. */
export interface ReadinessParts {
  readonly exchange: Exchange;
  /** `undefined`: what the broker does not confirm is refused. */
  readonly spooling: Pick<SpoolingExchange, "spool"> | undefined;
  readonly checkStore: () => Promise<Health>;
}

/** Whether deliveries can be accepted, and what that rests on. */
export interface Readiness {
  readonly isReady: boolean;
  readonly store: Health;
  readonly broker: Health & { readonly unrouted: number };
  /** `undefined` where there is no broker to wait for. */
  readonly spool: SpoolHealth | undefined;
}

/** Looks whether deliveries can be accepted: costs a few reads of the store. */
export async function readinessOf({ exchange, spooling, checkStore }: ReadinessParts): Promise<Readiness> {
  const [store, spool] = await Promise.all([checkStore(), spooling?.spool()]);
  const broker = { ...exchange.health(), unrouted: exchange.unrouted() };
  // Without a broker, and behind events that wait, the spool has to take them.
  const isTaken = spool === undefined ? broker.ok : spool.takesEvents || (broker.ok && spool.state?.events === 0);
  return { isReady: store.ok && isTaken, store, broker, spool };
}
