import { getLogger } from "@logtape/logtape";
import type { Exchange, SerializedEvent, Spool, SpoolClaim, SpoolEntry, SpoolRest } from "../deps.ts";
import { messageOf } from "../errors.ts";
import type { LateConfirms } from "./late.ts";
import { settledWithin } from "../timeouts.ts";
import { Troubles } from "./troubles.ts";

/** What {@link Drain} works with. */
export interface DrainParts {
  /** Publishes without a spool. */
  readonly exchange: Exchange;
  readonly spool: Spool;
  readonly late: LateConfirms;
  readonly now: () => Date;
  /** How long it waits before it tries again what failed, at first and at most. */
  readonly pauseMs?: { readonly first: number; readonly most: number };
  /** How often it looks for what another process has left. */
  readonly lookMs?: number;
  /** How long it waits for the confirms of what it published of a workspace before it lets others go on. */
  readonly confirmMs?: number;
  /** How long it publishes one at a time, after trouble, before it writes what became of them. */
  readonly carefulMs?: number;
  /**
   * How long it waits for the confirm of what was published before, and then publishes it again. The broker may never
   * confirm it: RabbitMQ 3.10 forgets messages that come while a quorum queue has no leader, until the next one comes.
   */
  readonly lateMs?: number;
}

/** How many become dead letters at a time: those of one entry are written in one commit, which Deno KV bounds to 800 KiB. */
const MOST_DEAD = 8;
/** How long a stop waits for the round that is under way. */
const CLOSE_MS = 2000;

const log = getLogger(["inlet", "spool"]);

/**
 * Empties the spool into the broker: in order for each workspace, by one process at a time, each event deleted only when
 * it is confirmed. Bounded in flight by what the spool gives at a time. After a failure it waits, longer each time.
 */
export class Drain {
  readonly #parts: DrainParts;
  readonly #lookMs: number;
  readonly #confirmMs: number;
  readonly #lateMs: number;
  readonly #carefulMs: number;
  readonly #troubles: Troubles;
  #closing = false;
  /** Those who wait until the spool is empty. */
  readonly #waiting = new Set<() => void>();
  #woken = Promise.withResolvers<void>();
  #gone = Promise.withResolvers<void>();
  #problem: string | undefined;
  /** When it next tries a workspace that is in trouble, for whose confirms it may have to wait; by `performance.now`. */
  #patientAt = 0;
  /** The workspaces whose entries cannot be read or written, and why. */
  readonly #stuck = new Map<string, string>();
  readonly #running: Promise<void>;

  constructor(parts: DrainParts) {
    this.#parts = parts;
    this.#lookMs = parts.lookMs ?? 5000;
    this.#confirmMs = parts.confirmMs ?? 5000;
    this.#lateMs = parts.lateMs ?? 2000;
    this.#carefulMs = parts.carefulMs ?? 1000;
    this.#troubles = new Troubles(parts.now, parts.pauseMs ?? { first: 200, most: 5000 });
    this.#running = this.#run();
  }

  /** Why the spool cannot be emptied though there is a broker; `undefined` while it can. */
  get problem(): string | undefined {
    return this.#problem ?? [...this.#stuck.values()][0];
  }

  /** To be called when there may be something to do, or the broker has gone. */
  wake(): void {
    this.#woken.resolve();
    if (!this.#parts.exchange.health().ok) this.#gone.resolve();
  }

  /**
   * Gives what `wait` gives for a promise that resolves when the spool is empty next. Each has one of its own: one for all
   * would keep something of everybody who gave up waiting, for as long as the spool is not empty.
   */
  async untilEmpty<T>(wait: (emptied: Promise<void>) => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    try {
      return await wait(promise);
    } finally {
      this.#waiting.delete(resolve);
    }
  }

  /** Ends the round under way after what was published is confirmed and deleted, or after {@link CLOSE_MS}. */
  async close(): Promise<void> {
    this.#closing = true;
    this.wake();
    await settledWithin(CLOSE_MS, this.#running);
  }

  async #run(): Promise<void> {
    while (!this.#closing) {
      this.#woken = Promise.withResolvers();
      let waitMs = this.#lookMs;
      try {
        waitMs = await this.#round();
        this.#problem = undefined;
      } catch (error) {
        if (this.#closing) return;
        this.#problem = messageOf(error);
        log.error("cannot empty the spool, trying again: {reason}", { reason: this.#problem });
      }
      if (!this.#closing) await settledWithin(waitMs, this.#woken.promise);
    }
  }

  /** Publishes what there is; gives after how long to look again. */
  async #round(): Promise<number> {
    const { exchange, spool, late } = this.#parts;
    if (!exchange.health().ok) return this.#lookMs;
    const stored = late.inSpool();
    const workspaces = await this.#workspaces();
    for (const [id, workspaceId] of stored) if (!workspaces.includes(workspaceId)) late.forget(id);
    if (workspaces.length === 0) {
      this.#tellEmpty();
      return this.#lookMs;
    }
    const pauseMs = this.#waitMs(workspaces);
    if (pauseMs > 0) return pauseMs;
    const claim = await spool.claim();
    if (claim === undefined) return this.#lookMs;
    try {
      while (!this.#closing && exchange.health().ok) {
        const waitMs = await this.#sweep(claim);
        if (waitMs !== 0) return waitMs;
      }
      return this.#lookMs;
    } finally {
      await claim.release();
    }
  }

  /** Publishes the oldest of each workspace; gives after how long there is more to do. */
  async #sweep(claim: SpoolClaim): Promise<number> {
    const workspaces = await this.#workspaces();
    for (const workspaceId of this.#troubles.inTurn(workspaces)) {
      if (this.#closing || !this.#parts.exchange.health().ok) break;
      if (this.#waitMs([workspaceId]) > 0) continue;
      const begun = performance.now();
      const wasInTrouble = this.#troubles.has(workspaceId);
      try {
        // Another process has taken over.
        if (!await this.#publishOldest(claim, workspaceId)) return this.#lookMs;
        this.#stuck.delete(workspaceId);
      } catch (error) {
        // One workspace's entry that cannot be read keeps no other's from being published.
        this.#setBack(workspaceId, error);
      }
      if (!wasInTrouble || !this.#troubles.has(workspaceId)) continue;
      // However many are in trouble, the others have half of the time.
      const areOthers = workspaces.some((workspaceId) => !this.#troubles.has(workspaceId));
      if (areOthers) this.#patientAt = performance.now() + (performance.now() - begun);
      break;
    }
    if (workspaces.length === 0) {
      this.#tellEmpty();
      return this.#lookMs;
    }
    return this.#waitMs(workspaces);
  }

  #tellEmpty(): void {
    for (const resolve of this.#waiting) resolve();
  }

  /** After how long there is something to do for one of them. */
  #waitMs(workspaces: readonly string[]): number {
    const patientInMs = this.#patientAt - performance.now();
    return Math.min(...workspaces.map((workspaceId) => {
      const waitMs = this.#troubles.waitMs(workspaceId);
      return this.#troubles.has(workspaceId) ? Math.max(waitMs, patientInMs) : waitMs;
    }));
  }

  async #workspaces(): Promise<string[]> {
    const workspaces = await this.#parts.spool.workspaces();
    for (const workspaceId of this.#stuck.keys()) {
      if (!workspaces.includes(workspaceId)) this.#stuck.delete(workspaceId);
    }
    return workspaces;
  }

  #setBack(workspaceId: string, error: unknown): void {
    if (this.#closing) return;
    const reason = messageOf(error);
    this.#stuck.set(workspaceId, reason);
    this.#troubles.setBack(workspaceId);
    log.error("cannot publish what workspace {workspaceId} has in the spool, trying again: {reason}", {
      workspaceId,
      reason,
    });
  }

  /** Resolves with whether the claim still holds. */
  async #publishOldest(claim: SpoolClaim, workspaceId: string): Promise<boolean> {
    const oldest = await claim.oldest(workspaceId);
    const { tried, done, dead } = await this.#tryInOrder(workspaceId, oldest.flatMap(({ events }) => events));
    const touched = oldest.filter(({ events }) => events.some(({ event }) => done.has(event.id)));
    const rests = touched.map((entry) => restOf(entry, done, dead));
    const isHeld = rests.length === 0 ? await claim.renew() : await claim.settle(rests);
    // Another process publishes what it takes over: a confirm that came here is not to stand for a replay after that.
    for (const id of isHeld ? done : tried) this.#parts.late.forget(id);
    if (!isHeld) return false;
    for (const [id, reason] of dead) log.error("set event {id} aside as a dead letter: {reason}", { id, reason });
    return true;
  }

  /**
   * Publishes events of a workspace, after trouble one at a time, so that it is known which one makes it: several, since
   * whatever is done of an entry has the rest of it written anew. Gives the ids of those that were tried, of those among
   * them that are done with, and which of these are given up, and why.
   */
  async #tryInOrder(
    workspaceId: string,
    all: readonly SerializedEvent[],
  ): Promise<{ tried: Set<string>; done: Set<string>; dead: Map<string, string> }> {
    const tried = new Set<string>();
    const done = new Set<string>();
    const until = performance.now() + this.#carefulMs;
    for (let next = 0;;) {
      const isCareful = this.#troubles.isCareful(workspaceId);
      const events = isCareful ? all.slice(next, next + 1) : all;
      next += events.length;
      const failures = await this.#publish(events);
      const dead = new Map([...this.#troubles.judge(workspaceId, events, failures)].slice(0, MOST_DEAD));
      for (const { event: { id } } of events) {
        tried.add(id);
        if (dead.has(id) || !failures.has(id)) done.add(id);
      }
      const goesOn = isCareful && this.#troubles.isCareful(workspaceId) && failures.size === 0 && !this.#closing;
      if (!goesOn || next >= all.length || performance.now() >= until) return { tried, done, dead };
    }
  }

  /** Publishes events in order; gives what went wrong, by event id. */
  async #publish(events: readonly SerializedEvent[]): Promise<Map<string, unknown>> {
    const { exchange, late } = this.#parts;
    const confirmed = await Promise.all(events.map(({ event }) => late.wasConfirmed(event.id, this.#lateMs)));
    const unconfirmed = new Error("Cannot publish: the confirm is still to come");
    const failures = new Map<string, unknown>(events.map(({ event }) => [event.id, unconfirmed]));
    const underWay: Promise<void>[] = [];
    for (const [index, event] of events.entries()) {
      const { id } = event.event;
      if (confirmed[index]) {
        failures.delete(id);
        continue;
      }
      const confirm = exchange.publish([event]);
      late.watch([event], confirm);
      late.stored([event]);
      underWay.push(confirm.then(() => void failures.delete(id), (error) => void failures.set(id, error)));
    }
    this.#gone = Promise.withResolvers();
    await settledWithin(this.#confirmMs, Promise.race([Promise.all(underWay), this.#gone.promise]));
    return new Map(failures);
  }
}

/** What is left of an entry of which some events are done. */
function restOf(entry: SpoolEntry, done: ReadonlySet<string>, dead: ReadonlyMap<string, string>): SpoolRest {
  return {
    entry,
    left: entry.events.filter(({ event }) => !done.has(event.id)),
    dead: entry.events.flatMap((event) => {
      const reason = dead.get(event.event.id);
      return reason === undefined ? [] : [{ event, reason }];
    }),
  };
}
