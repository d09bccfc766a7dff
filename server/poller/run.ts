import { getLogger } from "@logtape/logtape";
import { type Poller, type PollerConnector, PollError } from "../../connectors/kit/mod.ts";
import type { Confirmation, ConnectorConfig, ConnectorConfigStore, SerializedEvent, Versioned } from "../deps.ts";
import type { Lease, PollerState, PollerStateStore } from "./deps.ts";
import { stamp } from "../ingest/stamp.ts";
import { EventTooLargeError, LeaseLostError, messageOf } from "../errors.ts";
import { nextRunAfter, retryAt } from "./schedule.ts";

/** A page of events that were accepted. */
export interface AcceptedPage {
  readonly workspaceId: string;
  readonly connectorId: string;
  readonly at: Date;
  readonly published: number;
  /** The types of the page's events; those of events that were left out are among them. */
  readonly types: readonly string[];
}

/** What a run works with. */
export interface RunParts {
  readonly connectorConfigs: ConnectorConfigStore;
  readonly states: PollerStateStore;
  /** Resolves when the broker or the spool has the events. */
  readonly accept: (events: readonly SerializedEvent[]) => Promise<Confirmation>;
  /** Told of each accepted page that has events. */
  readonly onAccepted: (page: AcceptedPage) => void;
  readonly now: () => Date;
  /** From 0 to 1, for the jitter of retries. */
  readonly random: () => number;
}

/** One run: a poller with the state that was read under the lease. */
export interface RunRequest {
  readonly connector: PollerConnector;
  readonly config: Versioned<ConnectorConfig>;
  readonly state: Versioned<PollerState> | undefined;
  readonly lease: Lease;
  /** Forgets where the last poll ended: events begin now. */
  readonly startAnew: boolean;
  /** Ends the run; a reason that is a {@link PollError} tells why. */
  readonly signal: AbortSignal;
}

/** A source that has more and more to give is left after this, and goes on at the next tick. */
const MOST_RUN_MS = 10 * 60_000;

/**
 * Polls a source page by page until it has no more, and gives the number of events that were published. The cursor is
 * stored after each page was accepted: a crash in between repeats the page with the same ids, and loses nothing.
 *
 * @throws {PollError} if the source could not be asked; when and why is stored
 * @throws {LeaseLostError} if another process has taken over; nothing is stored
 * @throws {Error} if the events could not be published; the cursor stays where it was
 */
export async function runPoller(parts: RunParts, request: RunRequest): Promise<number> {
  const run = new Run(parts, request);
  try {
    return await run.pages();
  } catch (error) {
    if (!request.signal.aborted && !(error instanceof LeaseLostError)) {
      await run.failed(error).catch((reason) => log.warning("cannot store that a poll failed: {reason}", { reason }));
    }
    throw error;
  }
}

const log = getLogger(["inlet", "poller"]);

class Run {
  readonly #began: Date;
  readonly #dueAt: Date;
  #poller: Poller | undefined;
  #state: PollerState;
  #version: string | null;

  constructor(private readonly parts: RunParts, private readonly request: RunRequest) {
    const { config: { value: { workspaceId, connectorId }, version }, state, startAnew } = request;
    this.#began = parts.now();
    this.#dueAt = state?.value.nextRunAt ?? this.#began;
    this.#version = state?.version ?? null;
    this.#state = {
      workspaceId,
      connectorId,
      cursor: startAnew ? null : state?.value.cursor ?? null,
      configVersion: version,
      lastRunAt: this.#began,
      caughtUpAt: state?.value.caughtUpAt ?? null,
      lastError: null,
      failures: state?.value.failures ?? 0,
      nextRunAt: null,
    };
  }

  async pages(): Promise<number> {
    const poller = this.#poller = this.#open();
    let published = 0;
    for (;;) {
      const { more, accepted } = await this.#page(poller);
      published += accepted;
      if (!more || !await this.#goesOn()) return published;
    }
  }

  /** Stores why the run failed, and when the next one is due; the cursor is the last accepted page's. */
  async failed(error: unknown): Promise<void> {
    const { now, random } = this.parts;
    const failures = this.#state.failures + 1;
    const retry = retryAt(failures, now(), random());
    const scheduled = this.#poller && nextRunAfter(this.#poller, now(), this.#dueAt);
    // A schedule that never comes again is not for a retry to overrule.
    const nextRunAt = scheduled === null ? null : scheduled !== undefined && scheduled > retry ? scheduled : retry;
    await this.#save({ failures, nextRunAt, lastError: messageOf(error) });
  }

  #open(): Poller {
    const { connector, config } = this.request;
    try {
      return connector.open(config.value);
    } catch {
      // They were checked when they were saved, so this program's schemas have changed since. The reason may quote a
      // value; configuring the connector again tells what is wrong.
      throw new PollError(
        `Cannot poll ${connector.manifest.name}: its stored settings do not fit any more, save them again`,
      );
    }
  }

  async #page(poller: Poller): Promise<{ more: boolean; accepted: number }> {
    const { parts: { accept, onAccepted, now }, request: { signal } } = this;
    const { workspaceId, connectorId } = this.#state;
    const timeout = AbortSignal.timeout(poller.timeoutMs);
    const { drafts, cursor, more = false } = await poller.poll({
      cursor: this.#state.cursor,
      now: now(),
      signal: AbortSignal.any([signal, timeout]),
    });
    const events = drafts.map((draft) => stamp({ workspaceId, connectorId, occurrence: draft.key, index: 0 }, draft));
    const published = await acceptAll(accept, events);
    const ended = now();
    const nextRunAt = more ? ended : nextRunAfter(poller, ended, this.#dueAt);
    await this.#save({ cursor, failures: 0, nextRunAt, caughtUpAt: more ? this.#state.caughtUpAt : ended });
    const types = events.map(({ event }) => event.type);
    if (events.length > 0) onAccepted({ workspaceId, connectorId, at: ended, published, types });
    return { more, accepted: published };
  }

  /** Whether the next page is to be asked for now, with these settings, by this process. */
  async #goesOn(): Promise<boolean> {
    const { parts: { now, connectorConfigs }, request: { signal, config, lease } } = this;
    if (signal.aborted || now().getTime() - this.#began.getTime() >= MOST_RUN_MS) return false;
    const stored = await connectorConfigs.get(config.value.workspaceId, config.value.connectorId);
    return stored?.version === config.version && await lease.renew();
  }

  async #save(change: Partial<PollerState>): Promise<void> {
    this.#state = { ...this.#state, ...change };
    const saved = await this.parts.states.save(this.#state, this.#version, this.request.lease);
    if (saved === undefined) {
      throw new LeaseLostError(`Cannot go on polling ${this.#state.connectorId}: another process has taken over`);
    }
    this.#version = saved.version;
  }
}

/** An event that no broker will ever take must not keep back all that come after it: it alone is left out. */
async function acceptAll(accept: RunParts["accept"], events: readonly SerializedEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  try {
    const { published, queued } = await accept(events);
    return published + queued;
  } catch (error) {
    if (!(error instanceof EventTooLargeError)) throw error;
    const [only, ...others] = events;
    if (only === undefined || others.length > 0) return await acceptHalves(accept, events);
    log.error("left out event {id} of type {type}: {reason}", {
      id: only.event.id,
      type: only.event.type,
      reason: error.message,
    });
    return 0;
  }
}

async function acceptHalves(accept: RunParts["accept"], events: readonly SerializedEvent[]): Promise<number> {
  const middle = Math.ceil(events.length / 2);
  return await acceptAll(accept, events.slice(0, middle)) + await acceptAll(accept, events.slice(middle));
}
