import { type InletEvent, type NormalizedEvent, parseEnvelope, parseEvent } from "@inlet/events";
import type { Handler, Handlers } from "./options.ts";
import type { SeenEvents } from "./seen.ts";

/** What became of a message: it is done with, may succeed when it is tried again, or never will. */
export type Outcome =
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "invalid"; readonly error: unknown };

// A method's parameter may be narrower than declared: that each handler gets its own events only, its key says.
type AnyHandler = { of(event: InletEvent): void | Promise<void> }["of"];

/** What {@link messageHandler} is made of. */
export interface HandleOptions {
  readonly on: Handlers;
  readonly otherwise: Handler<NormalizedEvent> | undefined;
  readonly seen: SeenEvents;
}

/**
 * Gives the function that handles a message by its body, the text of it or the JSON value: read, checked, handed to its
 * handler unless that was done before, and remembered. It never throws. Messages with the same id wait for each other.
 */
export function messageHandler({ on, otherwise, seen }: HandleOptions): (body: unknown) => Promise<Outcome> {
  const handlers = new Map<string, AnyHandler | undefined>(Object.entries(on));
  const inTurn = turns();

  /** What is left to do for an event, its payload checked. */
  const workOf = (envelope: NormalizedEvent): (() => void | Promise<void>) | undefined => {
    const handler = handlers.get(envelope.type);
    if (handler === undefined) return otherwise && (() => otherwise(envelope));
    const event = parseEvent(envelope);
    return () => handler(event);
  };

  return async (body) => {
    let envelope: NormalizedEvent;
    let work: (() => void | Promise<void>) | undefined;
    try {
      envelope = parseEnvelope(body);
      work = workOf(envelope);
    } catch (error) {
      return { kind: "invalid", error };
    }
    if (work === undefined) return { kind: "done" };
    try {
      await inTurn(envelope.id, async () => {
        if (await seen.has(envelope.id)) return;
        await work();
        await seen.add(envelope.id);
      });
      return { kind: "done" };
    } catch (error) {
      return { kind: "failed", error };
    }
  };
}

/** Runs work of the same name one after the other. */
function turns(): (name: string, work: () => Promise<void>) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return async (name, work) => {
    const before = last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(name, mine);
    try {
      await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
}
