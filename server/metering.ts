import type { SignatureFault } from "../connectors/kit/mod.ts";

/** What became of a delivery; `empty`: it was accepted, and is one that becomes no event. */
export type DeliveryOutcome = "published" | "spooled" | "duplicate" | "empty" | "refused";

/** How the polling of one connector of a workspace stands. */
export interface PollerStanding {
  readonly connectorId: string;
  /** For how long it should have been read to its end by now, in milliseconds; 0: it is on schedule. */
  readonly behindMs: number;
  /** Whether its newest run failed. */
  readonly isFailing: boolean;
}

/**
 * Told of what happens, so that it can be counted. Does no I/O, and costs next to nothing. Connectors are those of the
 * catalogue: what strangers name is never handed in here.
 */
export interface Meter {
  /** A delivery was answered, after `durationMs`. */
  delivered(connectorId: string, outcome: Exclude<DeliveryOutcome, "refused">, durationMs: number): void;
  /** A delivery was refused: `reason` is the kind of problem that it was answered with, `fault` what its signature lacks. */
  refused(
    connectorId: string,
    refusal: { readonly reason: string; readonly fault: SignatureFault | undefined },
    durationMs: number,
  ): void;
  /** A delivery came to a URL that nobody has. */
  refusedUnknown(): void;
  /** The exchange confirmed `events` together, after `durationMs`. */
  confirmed(events: number, durationMs: number): void;
  /** The exchange did not confirm all that was published together, but `events` of it. */
  unconfirmed(events: number): void;
  /** A live stream was ended because its client does not read, or what it missed cannot be. */
  streamDropped(): void;
  /** A run of a poller has ended. */
  polled(connectorId: string, outcome: "succeeded" | "failed"): void;
  /** How all pollers that are on stand, of all workspaces. */
  pollersStand(standings: readonly PollerStanding[]): void;
  /** The store was read, or written to, within `durationMs`. */
  stored(operation: "read" | "commit", durationMs: number): void;
}
