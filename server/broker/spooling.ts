import { getLogger } from "@logtape/logtape";
import type { Broker, Confirmation, PublishOptions, SerializedEvent, Spool, SpoolingExchange } from "../deps.ts";
import { BrokerUnavailableError, messageOf, SpoolFullError } from "../errors.ts";
import { Drain, type DrainParts } from "./drain.ts";
import { journaling, type JournalingParts } from "./journaling.ts";
import { LateConfirms } from "./late.ts";
import { Patience } from "./patience.ts";
import { spoolHealth } from "./spool_health.ts";

/** What {@link spoolingExchange} works with. */
export interface SpoolingParts
  extends Omit<JournalingParts, "live">, Pick<DrainParts, "pauseMs" | "lookMs" | "lateMs"> {
  readonly broker: Broker;
  readonly spool: Spool;
  /** How long a publisher waits for the broker's confirm, unless it can wait less. */
  readonly publishTimeoutMs: number;
  readonly now: () => Date;
}

/** What an answer takes after its events are spooled: a publisher that can wait some time is answered this much before. */
const ANSWER_MS = 1000;
/**
 * How long an answer is held back while the spool is being emptied. Who sends the next delivery when the last is
 * answered could otherwise fill it faster than it empties, for as long as it likes.
 */
const HOLD_BACK_MS = 250;

const log = getLogger(["inlet", "spool"]);

/**
 * Puts a spool before a broker: events that it does not confirm in time are stored, and published by themselves when it
 * does again. While events of a workspace are in the spool, new ones join it, so that its order holds.
 */
export function spoolingExchange(parts: SpoolingParts): SpoolingExchange {
  const { broker, spool, publishTimeoutMs, now } = parts;
  const exchange = journaling(broker, { ...parts, live: broker.live });
  const late = new LateConfirms();
  const drain = new Drain({ ...parts, exchange, late });
  const patience = new Patience();
  /** What the spool held when something did not fit; `undefined` once something fits, or there is more room. */
  let refusedAtBytes: number | undefined;
  /** Why something could not be stored; `undefined` once something can be. */
  let unwritable: string | undefined;

  // What the client library rejects one by one is to be heard first: it knows what was confirmed, and what was refused.
  broker.onHealth(() =>
    setTimeout(() => {
      drain.wake();
      if (!broker.health().ok) patience.callOff();
    })
  );

  async function store(events: readonly SerializedEvent[], { delivery }: PublishOptions): Promise<void> {
    try {
      await spool.append(events, delivery);
      refusedAtBytes = unwritable = undefined;
      late.stored(events);
      drain.wake();
    } catch (error) {
      for (const { event } of events) late.forget(event.id);
      if (error instanceof SpoolFullError) {
        refusedAtBytes = (await spool.state()).bytes;
        throw error;
      }
      unwritable = messageOf(error);
      log.error("cannot write to the spool: {error}", { error });
      throw new BrokerUnavailableError(
        "Cannot publish: the broker does not confirm, and the spool cannot be written (KV_PATH)",
        { cause: error },
      );
    }
  }

  async function publish(events: readonly SerializedEvent[], options: PublishOptions = {}): Promise<Confirmation> {
    const workspaceId = events[0]?.event.workspaceId;
    if (workspaceId === undefined) return { published: 0, unrouted: 0, queued: 0 };
    broker.refuseTooLarge(events);
    if (!broker.health().ok || await spool.holds(workspaceId)) {
      await store(events, options);
      const holdBackMs = Math.min(HOLD_BACK_MS, waitOf(options));
      if (broker.health().ok) await drain.untilEmpty((emptied) => patience.wait(emptied, holdBackMs));
      return { published: 0, unrouted: 0, queued: events.length };
    }
    const sent = exchange.publish(events, options);
    const timeoutMs = Math.min(publishTimeoutMs, waitOf(options));
    const outcome = await patience.wait(sent, timeoutMs).catch((error) => {
      if (error instanceof BrokerUnavailableError) return error;
      throw error;
    });
    if (outcome !== undefined && !(outcome instanceof Error)) return outcome;
    const left = outcome === undefined ? events : events.filter(({ event }) => !outcome.confirmed.has(event.id));
    if (outcome === undefined) late.watch(events, sent);
    await store(left, options);
    return { published: events.length - left.length, unrouted: 0, queued: left.length };
  }

  return {
    publish,
    health: () => broker.health(),
    unrouted: () => broker.unrouted(),
    async spool() {
      try {
        // Whoever asks whether deliveries can be taken may send none before they can.
        if (unwritable !== undefined) unwritable = await spool.tryToWrite().then(() => undefined, messageOf);
        const state = await spool.state();
        if (refusedAtBytes !== undefined && state.bytes < refusedAtBytes) refusedAtBytes = undefined;
        return spoolHealth(state, {
          isRefusing: refusedAtBytes !== undefined,
          unwritable,
          problem: drain.problem,
          now: now(),
        });
      } catch (error) {
        log.error("cannot read the spool: {error}", { error });
        return {
          ok: false,
          takesEvents: false,
          detail: "broken: it cannot be read, the log says why",
          entries: 0,
          bytes: 0,
          state: undefined,
        };
      }
    },
    hurry: (graceMs) => patience.hurry(graceMs),
    wake: () => drain.wake(),
    async close() {
      await drain.close();
      await broker.close();
    },
  };
}

function waitOf({ patienceMs = Infinity }: PublishOptions): number {
  return Math.max(patienceMs - ANSWER_MS, patienceMs / 2);
}
