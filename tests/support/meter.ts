import type { Meter } from "../../server/metering.ts";

const ignore = () => {};

/** Counts nothing: for the test of something else. */
export const noMeter: Meter = {
  delivered: ignore,
  refused: ignore,
  refusedUnknown: ignore,
  confirmed: ignore,
  unconfirmed: ignore,
  streamDropped: ignore,
  polled: ignore,
  pollersStand: ignore,
  stored: ignore,
};
