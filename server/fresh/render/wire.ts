/**
 * What the server writes into a page for the browser: which islands there are, and what they are given. It is JSON in a
 * script element that is not run, so that a Content-Security-Policy of `script-src 'self'` lets it pass.
 *
 * @module
 */
import { Signal, signal } from "@preact/signals";
import { parse, stringify } from "devalue";

/** The id of the script element. */
export const STATE_ID = "__FRSH_STATE";

/** The comments before and after an island; the first is followed by the island's number. */
export const MARKS = { start: "frsh:", end: "/frsh" } as const;

/** The props of an island. */
export type Props = Record<string, unknown>;

/** All that the browser is told. */
export interface PageState {
  readonly buildId: string;
  /** The components of the islands: where each is exported. */
  readonly components: readonly { readonly url: string; readonly name: string }[];
  /** The islands by their numbers. */
  readonly islands: readonly { readonly component: number; readonly props: Props }[];
}

/**
 * Writes the state so that it can stand in a script element. Dates, maps, sets, bigints, cycles and so on pass; an
 * object or signal that is there twice stays one.
 *
 * @throws {DevalueError} At functions, symbols and instances of classes; its `path` says where.
 */
export function writeState(state: PageState): string {
  // In an array, as a falsy value would count as "no signal".
  const text = stringify(state, { Signal: (value: unknown) => value instanceof Signal && [value.peek()] });
  return text.replaceAll("<", "\\u003c"); // devalue does so too, but it is what keeps hostile text inside the element.
}

/** Reads what {@linkcode writeState} wrote. */
export function readState(text: string): PageState {
  return parse(text, { Signal: ([value]: [unknown]) => signal(value) });
}
