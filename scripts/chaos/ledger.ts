/** The account of what was sent, what was acknowledged and what came, and whether it adds up. */

/** Where the times come from; all are milliseconds of one clock that never goes back. */
export type Clock = () => number;

/** A message as the consumer got it. */
export interface Receipt {
  /** Which delivery it came of. */
  readonly name: string;
  /** The event's id: a repeat has the same. */
  readonly messageId: string;
  /** Whether the broker gave it out before, to a consumer that could not say that it had it. */
  readonly redelivered: boolean;
}

/** What an account comes to. */
export interface Balance {
  /** Deliveries that were answered with success. */
  readonly accepted: number;
  /** Events that came, each counted once. */
  readonly received: number;
  /** Accepted, and never came. */
  readonly lost: readonly string[];
  /** Came behind one of its workspace that was sent only when this one had been accepted. */
  readonly misplaced: readonly string[];
  /** Came under more than one id: a consumer that drops repeated ids has them twice. */
  readonly doubled: readonly string[];
  /** Messages over the first of an event, with its id: published more than once. */
  readonly repeats: number;
  /** Messages over the first that the broker, not the service, sent once more. */
  readonly redelivered: number;
  /** Came though the sender was never told of success: it may be sent again under the same id. */
  readonly unaccepted: number;
}

interface Sent {
  readonly workspaceId: string;
  readonly at: number;
  acceptedAt: number | undefined;
}

/** Keeps account of one run. */
export class Ledger {
  readonly #sent = new Map<string, Sent>();
  readonly #arrived = new Map<string, string>();
  readonly #waiting = new Set<string>();
  readonly #doubled = new Set<string>();
  #repeats = 0;
  #redelivered = 0;
  #accepted = 0;

  constructor(private readonly clock: Clock) {}

  /** To be called before a delivery is sent for the first time. */
  send(name: string, workspaceId: string): void {
    this.#sent.set(name, { workspaceId, at: this.clock(), acceptedAt: undefined });
  }

  /** To be called when a delivery was answered with success. */
  accept(name: string): void {
    const sent = this.#sent.get(name);
    if (sent === undefined || sent.acceptedAt !== undefined) return;
    sent.acceptedAt = this.clock();
    this.#accepted++;
    if (!this.#arrived.has(name)) this.#waiting.add(name);
  }

  /** To be called with each message, in the order of their coming. */
  receive({ name, messageId, redelivered }: Receipt): void {
    const before = this.#arrived.get(name);
    if (before === undefined) this.#arrived.set(name, messageId);
    else if (before !== messageId) this.#doubled.add(name);
    else if (redelivered) this.#redelivered++;
    else this.#repeats++;
    this.#waiting.delete(name);
  }

  /** How many accepted deliveries have not come yet. */
  get outstanding(): number {
    return this.#waiting.size;
  }

  /** How many deliveries were accepted so far. */
  get accepted(): number {
    return this.#accepted;
  }

  /** How many deliveries were sent and not accepted so far. */
  get open(): number {
    return this.#sent.size - this.#accepted;
  }

  /** How many events have come so far, each counted once. */
  get received(): number {
    return this.#arrived.size;
  }

  /** Adds up. */
  balance(): Balance {
    return {
      accepted: this.#accepted,
      received: this.#arrived.size,
      lost: [...this.#waiting],
      misplaced: this.#misplaced(),
      doubled: [...this.#doubled],
      repeats: this.#repeats,
      redelivered: this.#redelivered,
      unaccepted: [...this.#arrived.keys()].filter((name) => this.#sent.get(name)?.acceptedAt === undefined).length,
    };
  }

  /** Two deliveries have an order where one was accepted before the other was sent; else they were sent side by side. */
  #misplaced(): string[] {
    const latestSent = new Map<string, number>();
    const misplaced: string[] = [];
    for (const name of this.#arrived.keys()) {
      const sent = this.#sent.get(name);
      if (sent === undefined) continue;
      const latest = latestSent.get(sent.workspaceId) ?? -Infinity;
      if (sent.acceptedAt !== undefined && sent.acceptedAt < latest) misplaced.push(name);
      latestSent.set(sent.workspaceId, Math.max(latest, sent.at));
    }
    return misplaced;
  }
}
