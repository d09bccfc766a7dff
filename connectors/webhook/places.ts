import type { Delivery } from "../kit/mod.ts";

const TOKEN = "[!$%&'*+.^_`|~0-9A-Za-z-]+";
const ONE = `(?:header:${TOKEN}(?:#[^\\s,=#]+)?|(?:/(?:[^~/\\s]|~[01])*)+)`;

/** A header's name (RFC 9110, section 5.1), or nothing. */
export const HEADER_PATTERN: RegExp = new RegExp(`^(?:${TOKEN})?$`);

/** One place, in the notation of {@link placesOf}, or nothing. */
export const PLACE_PATTERN: RegExp = new RegExp(`^(?:${ONE})?$`);

/** Any number of places, in the notation of {@link placesOf}. */
export const PLACES_PATTERN: RegExp = new RegExp(`^(?:${ONE}(?: +${ONE})*)?$`);

/** A place in a header. */
export interface HeaderPlace {
  readonly in: "header";
  /** The header's name, in lower case. */
  readonly name: string;
  /** The entry of a list such as `t=1,v1=abc` that is meant; `null`: the header's whole value. */
  readonly key: string | null;
}

/** Where a delivery says something. */
export type Place = HeaderPlace | { readonly in: "body"; readonly path: readonly string[] };

/** What places are read from: the headers, and the body once it is proven and parsed. */
export interface Readable {
  readonly headers: Delivery["headers"];
  readonly body: unknown;
}

/** A longer text names nothing. */
const LONGEST_TEXT = 512;
const INDEX = /^(?:0|[1-9]\d*)$/;

/**
 * Reads places from a setting that {@link PLACES_PATTERN} matches, separated by blanks: `header:x-event` is a header,
 * `header:x-signature#t` the entry `t` of one that is a list such as `t=1,v1=abc`, and `/data/id` a JSON Pointer
 * (RFC 6901) into the body.
 */
export function placesOf(text: string): Place[] {
  return text.split(" ").filter((part) => part !== "").map((part): Place => {
    if (part.startsWith("/")) return { in: "body", path: part.slice(1).split("/").map(unescaped) };
    const [name = "", key = null] = part.slice("header:".length).split("#");
    return { in: "header", name: name.toLowerCase(), key };
  });
}

/** The text at the first of the places that has one: numbers and truth values are written out, lists and objects are none. */
export function textAt(places: readonly Place[], from: Readable): string | null {
  const texts = places.map((place) => textOf(valueAt(place, from)));
  return texts.find((text) => text !== null) ?? null;
}

/** What is at a place; `undefined` if that is nothing. */
export function valueAt(place: Place, { headers, body }: Readable): unknown {
  if (place.in === "body") return place.path.reduce(member, body);
  const value = headers.get(place.name) ?? undefined;
  if (value === undefined || place.key === null) return value;
  const [only, ...others] = entriesAt(value, place.key);
  return others.length > 0 ? undefined : only;
}

/** The values of `key` in a list such as `t=1,v1=abc,v1=def`. */
export function entriesAt(list: string, key: string): string[] {
  return list.split(",").map((part) => part.trim()).filter((part) => part.startsWith(`${key}=`))
    .map((part) => part.slice(key.length + 1));
}

function member(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return INDEX.test(key) ? value[Number(key)] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

function unescaped(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

function textOf(value: unknown): string | null {
  // JSON.parse has rounded an integer beyond 2^53: it would name something else.
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  const text = isScalar && !isRounded ? String(value).trim() : "";
  return text === "" || text.length > LONGEST_TEXT ? null : text;
}
