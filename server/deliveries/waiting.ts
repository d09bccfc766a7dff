import type { DeliveryRecord } from "../deps.ts";

/** A delivery that waits to be written into the log. */
export interface WaitingDelivery {
  readonly record: DeliveryRecord;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

/** Bodies beyond this are not kept, and no more of them at a time than {@link MOST_BODY_BYTES} together. */
const LARGEST_BODY_BYTES = 4 * 1024 * 1024;
const MOST_BODY_BYTES = 16 * 1024 * 1024;

/**
 * Deliveries on their way into the log: a bounded number, the newest. Where there are more, those go first of which the
 * workspace has most, so that who sends much does not push others out.
 */
export class WaitingDeliveries {
  readonly #ofWorkspace = new Map<string, WaitingDelivery[]>();
  #count = 0;
  #bodyBytes = 0;

  constructor(private readonly most: number) {}

  /** Adds one; its body only if that is not too much. */
  add({ record, body }: WaitingDelivery): void {
    const bytes = body?.length ?? 0;
    const keepsBody = bytes <= LARGEST_BODY_BYTES && this.#bodyBytes + bytes <= MOST_BODY_BYTES && body !== undefined;
    const kept = keepsBody ? { record, body } : { record: { ...record, bodyKept: false }, body: undefined };
    const others = this.#ofWorkspace.get(record.workspaceId);
    if (others === undefined) this.#ofWorkspace.set(record.workspaceId, [kept]);
    else others.push(kept);
    this.#count++;
    this.#bodyBytes += kept.body?.length ?? 0;
    if (this.#count > this.most) this.#dropOne();
  }

  /** Takes them all out, and gives the `most` that are to be written. */
  take(most: number): WaitingDelivery[] {
    while (this.#count > most) this.#dropOne();
    const taken = [...this.#ofWorkspace.values()].flat();
    this.#ofWorkspace.clear();
    this.#count = this.#bodyBytes = 0;
    return taken;
  }

  /** The oldest of the workspace that has most. */
  #dropOne(): void {
    let longest: WaitingDelivery[] = [];
    for (const waiting of this.#ofWorkspace.values()) if (waiting.length > longest.length) longest = waiting;
    this.#count--;
    this.#bodyBytes -= longest.shift()?.body?.length ?? 0;
  }
}
