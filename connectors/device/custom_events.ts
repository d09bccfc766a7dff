import { Validator } from "@cfworker/json-schema";
import { DEVICE_CUSTOM_NAME_PATTERN } from "@inlet/device-events";
import { z } from "zod";
import { type Fault, isDeeper } from "../kit/mod.ts";
import { jsonSchemaFaults } from "./json_schema.ts";

const MOST_CUSTOM_EVENTS = 200;
/** What is nested deeper can neither be checked nor be written as JSON again. */
const DEEPEST = 100;
/** `uniqueItems` compares each entry of a list with each other. So often, it takes a fifth of a second. */
const MOST_COMPARISONS = 1_000_000;

/** A JSON Schema (draft 2020-12) of an event's data. */
const dataSchema = z.record(z.string(), z.unknown()).superRefine((schema, context) => {
  for (const { path, message } of jsonSchemaFaults(schema)) context.addIssue({ code: "custom", path, message });
});

/** Custom events: by name, the JSON Schema (https://json-schema.org/draft/2020-12) of what each holds. */
export const customEventsSchema = z.record(
  z.string().regex(DEVICE_CUSTOM_NAME_PATTERN, "is no name: expected lower-case letters, digits, _ and -"),
  dataSchema,
).refine(
  (events) => Object.keys(events).length <= MOST_CUSTOM_EVENTS,
  `expected at most ${MOST_CUSTOM_EVENTS} custom events`,
);

/** The schemas of custom events by name, as {@link customEventsSchema} gives them. */
export type CustomEvents = z.output<typeof customEventsSchema>;

/** A schema, made ready for data. */
interface Prepared {
  readonly validator: Validator;
  /** Whether `uniqueItems` is asked for anywhere in it. */
  readonly comparesItems: boolean;
}

/** Made once for the settings that a receiver holds, and gone with them. */
const prepared = new WeakMap<object, Prepared>();

/** Keywords that only say that something further down does not fit. */
const WRAPPERS = new Set([
  "$ref",
  "additionalProperties",
  "allOf",
  "dependentSchemas",
  "items",
  "patternProperties",
  "prefixItems",
  "properties",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Where the data of the custom event `name` does not fit its schema, below the data. The first fault only. */
export function faultsOfCustomEvent(events: CustomEvents, name: string, data: Record<string, unknown>): Fault[] {
  const schema = events[name];
  if (schema === undefined) return [{ pointer: "", detail: "is of no custom event that is known here" }];
  if (isDeeper(data, DEEPEST)) return [{ pointer: "", detail: `is nested more than ${DEEPEST} levels deep` }];
  const { validator, comparesItems } = preparedOf(schema);
  if (comparesItems && comparisonsIn(data) > MOST_COMPARISONS) {
    return [{
      pointer: "",
      detail: 'has too long lists for the "uniqueItems" of the schema: 1000 entries are the most',
    }];
  }
  try {
    const { valid, errors } = validator.validate(data);
    if (valid) return [];
    const found = errors.find(({ keyword }) => !WRAPPERS.has(keyword)) ?? errors[0];
    const pointer = decodeURIComponent((found?.instanceLocation ?? "#").slice(1));
    return [{ pointer, detail: wordsFor(found?.keyword) }];
  } catch (error) {
    // The library writes each name as part of a URI, which half of a surrogate pair cannot be.
    if (error instanceof URIError) return [{ pointer: "", detail: "has a name that is not Unicode text" }];
    if (!(error instanceof RangeError)) throw error;
    return [{ pointer: "", detail: "cannot be checked: the schema of the event refers to itself without end" }];
  }
}

/** The library's own words quote what the sender wrote. */
function wordsFor(keyword: string | undefined): string {
  return keyword === "false"
    ? "is not known to the schema of the event"
    : `does not fit "${keyword}" in the schema of the event`;
}

function preparedOf(schema: Record<string, unknown>): Prepared {
  const known = prepared.get(schema);
  if (known !== undefined) return known;
  const comparesItems = JSON.stringify(schema).includes('"uniqueItems":true');
  const made = { validator: new Validator(schema, "2020-12"), comparesItems };
  prepared.set(schema, made);
  return made;
}

/** How many comparisons it would take to find equal entries in all lists of `value`. */
function comparisonsIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  const own = Array.isArray(value) ? value.length ** 2 : 0;
  return inner.reduce((sum: number, each) => sum + comparisonsIn(each), own);
}
