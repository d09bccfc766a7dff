import { v7 as uuidv7 } from "uuid";
import { timeOf } from "./uuid_time.ts";

/**
 * The places that one process gives to what it writes into the journal: UUIDv7 (RFC 9562), each later than the one before
 * whatever the clock does, with the process in the last 40 bits.
 */
export class Positions {
  readonly #random = crypto.getRandomValues(new Uint8Array(16));
  #timeMs = 0;
  #sequence = 0;

  constructor(private readonly now: () => Date) {}

  /** Names this process. */
  get process(): string {
    return processOf(uuidv7({ random: this.#random }));
  }

  /** Has all places from now on stand behind one that another process gave, however far back the clock was set since. */
  goBehind(position: string): void {
    this.#timeMs = Math.max(this.#timeMs, timeOf(position) + 1);
  }

  /** The next place. */
  next(): string {
    const nowMs = this.now().getTime();
    this.#sequence = nowMs > this.#timeMs ? 0 : this.#sequence + 1;
    this.#timeMs = Math.max(nowMs, this.#timeMs);
    return uuidv7({ random: this.#random, msecs: this.#timeMs, seq: this.#sequence });
  }
}

/** Names the process that a place was given by. */
export function processOf(position: string): string {
  return position.slice(-10);
}

/** What stands before all places that are given from a time on, in milliseconds since the epoch. */
export function beforeAllAt(timeMs: number): string {
  const hex = Math.max(0, timeMs).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** A place of the same time that no process gave: of an event that several published. */
export function ofNoProcess(position: string): string {
  return beforeAllAt(timeOf(position));
}
