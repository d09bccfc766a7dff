/** How much of anything the service takes. The defaults are in config.ts. */
export interface Limits {
  /** Largest request body, in bytes. */
  readonly maxBodyBytes: number;
  /** A body that has not arrived whole by then is given up. */
  readonly bodyTimeoutMs: number;
  /** What all bodies that are read and worked on at once may take together, in bytes. */
  readonly bodyMemoryBytes: number;
  readonly maxEventsPerDelivery: number;
  /** How deep an event's payload may be nested; the payload itself is 1. */
  readonly maxJsonDepth: number;
  /** Deliveries a second at one webhook URL; `0`: no limit. */
  readonly rateLimit: number;
  /** How many deliveries a webhook URL takes at once after a pause. */
  readonly rateLimitBurst: number;
  /** Live streams that this process holds at once, of all workspaces. */
  readonly maxStreams: number;
}

/** The part of `bodyMemoryBytes` that large bodies may take; the rest is there for small ones, whatever comes beside them. */
export const LARGE_BODIES_PART = 0.75;

/** A body beyond this many bytes is large. */
export const SMALL_BODY_BYTES: number = 256 * 1024;
