import { AsyncLocalStorage } from "node:async_hooks";
import type { Caller } from "./caller.ts";

const acting = new AsyncLocalStorage<Caller>();

/** Runs `act`, and all that it starts, on behalf of a caller. */
export function actAs<T>(caller: Caller, act: () => T): T {
  return acting.run(caller, act);
}

/**
 * Name of the caller on whose behalf this runs; `nobody` where there is none. Bound to the run and not handed on as a
 * parameter, so that nothing can be changed without it being known who did.
 */
export function actingName(): string {
  return acting.getStore()?.name ?? "nobody";
}
