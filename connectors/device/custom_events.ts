import { Validator } from "@cfworker/json-schema";
import { DEVICE_CUSTOM_NAME_PATTERN } from "@inlet/device-events";
import { z } from "zod";
import { type Fault, isDeeper } from "../kit/mod.ts";
import { jsonSchemaFaults } from "./json_schema.ts";

const MOST_CUSTOM_EVENTS = 200;
/** What is nested deeper can neither be checked nor be written as JSON again. */
const DEEPEST = 100;
/**
 * How often the validator may enter a schema for one delivery: for each value once, and as often as alternatives multiply
 * it, which of a schema that refers to itself can be 2 to the power of the depth. So often, it takes a quarter of a second.
 */
const MOST_STEPS = 50_000;
/** `uniqueItems` compares each entry of a list with each other. So many values of them, it takes a fifth of a second. */
const MOST_COMPARISONS = 2_000_000;

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
  /** How often it may still enter a schema. */
  readonly steps: { left: number };
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

/** Checks the custom events of one delivery, which has so many steps and comparisons for all of them. */
export class CustomEventCheck {
  #steps = MOST_STEPS;
  #comparisons = MOST_COMPARISONS;

  constructor(private readonly events: CustomEvents) {}

  /** Whether there is a custom event of this name. */
  knows(name: string): boolean {
    return Object.hasOwn(this.events, name);
  }

  /** Where the data of the custom event `name` does not fit its schema, below the data. The first fault only. */
  faultsOf(name: string, data: Record<string, unknown>): Fault[] {
    const schema = this.events[name];
    if (schema === undefined) return fault("is of no custom event that is known here");
    if (isDeeper(data, DEEPEST)) return fault(`is nested more than ${DEEPEST} levels deep`);
    const { validator, steps, comparesItems } = preparedOf(schema);
    if (comparesItems && (this.#comparisons -= workOf(data).comparisons) < 0) {
      return fault('has too long lists, with the events before it, for the "uniqueItems" of the schema');
    }
    steps.left = this.#steps;
    try {
      const { valid, errors } = validator.validate(data);
      if (valid) return [];
      const found = errors.find(({ keyword }) => !WRAPPERS.has(keyword)) ?? errors[0];
      return fault(wordsFor(found?.keyword), decodeURIComponent((found?.instanceLocation ?? "#").slice(1)));
    } catch (error) {
      if (error instanceof TooManySteps) {
        return fault("takes too long to check, with the events before it: send it in parts");
      }
      // The library writes each name as part of a URI, which half of a surrogate pair cannot be.
      if (error instanceof URIError) return fault("has a name that is not Unicode text");
      if (!(error instanceof RangeError)) throw error;
      return fault("cannot be checked: the schema of the event refers to itself without end");
    } finally {
      this.#steps = steps.left;
    }
  }
}

/** Ends a validation that has taken all of its steps. */
class TooManySteps extends Error {}

function fault(detail: string, pointer = ""): Fault[] {
  return [{ pointer, detail }];
}

/** The library's own words quote what the sender wrote. */
function wordsFor(keyword: string | undefined): string {
  return keyword === "false"
    ? "is not known to the schema of the event"
    : `does not fit "${keyword}" in the schema of the event`;
}

const ANCHOR = "$recursiveAnchor";

function preparedOf(schema: Record<string, unknown>): Prepared {
  const known = prepared.get(schema);
  if (known !== undefined) return known;
  const json = JSON.stringify(schema);
  const steps = { left: 0 };
  // The library has no limit of its own. Of each schema that it enters, it reads this keyword of an older draft, which
  // ours have not: what has it is no schema, but names properties, say.
  const step = { get: () => takeStep(steps), configurable: true };
  const counted: Record<string, unknown> = JSON.parse(
    json,
    (_, value) => isObject(value) && !Object.hasOwn(value, ANCHOR) ? Object.defineProperty(value, ANCHOR, step) : value,
  );
  const made = {
    validator: new Validator(counted, "2020-12"),
    steps,
    comparesItems: json.includes('"uniqueItems":true'),
  };
  prepared.set(schema, made);
  return made;
}

function takeStep(steps: { left: number }): undefined {
  if (steps.left === 0) throw new TooManySteps();
  steps.left--;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** How many values there are in `value`, itself included, and how many are compared to find equal entries in all its lists. */
function workOf(value: unknown): { values: number; comparisons: number } {
  const work = { values: 1, comparisons: 0 };
  if (!isObject(value)) return work;
  for (const inner of Object.values(value)) {
    const { values, comparisons } = workOf(inner);
    work.values += values;
    work.comparisons += comparisons;
  }
  if (Array.isArray(value)) work.comparisons += value.length * work.values;
  return work;
}
