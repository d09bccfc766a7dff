import { z } from "zod";
import { sentence } from "../words.ts";

/** How a value is entered. */
export type FieldKind = "text" | "number" | "flag" | "choice" | "list" | "json";

/** One entry of a form, as a property of a JSON Schema describes it. */
export interface Field {
  /** The property's name. */
  readonly name: string;
  /** The name in words. */
  readonly label: string;
  readonly description: string;
  readonly kind: FieldKind;
  readonly inputType: "text" | "url" | "email";
  readonly required: boolean;
  /** Whether `null` is meant where nothing is entered. */
  readonly emptyIsNull: boolean;
  /** What holds when nothing is entered; `undefined` if that is nothing. */
  readonly default: unknown;
  /** What can be chosen from; empty where anything can be entered. */
  readonly options: readonly { readonly text: string; readonly value: string | number }[];
  /** Bounds in words, such as "At least 16 characters". */
  readonly limits: readonly string[];
  /** Whether a secret can be made up: any text of up to 64 characters is accepted, and it is not the source's to give. */
  readonly takesRandomText: boolean;
  /** The heading of the fields that are shown together once that is opened; `undefined`: it is shown at once. */
  readonly group: string | undefined;
}

const choice = z.union([z.string(), z.number()]);
const propertySchema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  title: z.string().optional(),
  description: z.string().default(""),
  default: z.unknown().optional(),
  enum: z.array(choice).optional().catch(undefined),
  items: z.object({ type: z.string().optional(), enum: z.array(choice).optional() }).optional().catch(undefined),
  format: z.string().optional(),
  pattern: z.string().optional(),
  givenBySource: z.boolean().default(false),
  group: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
type Property = z.output<typeof propertySchema>;

const objectSchema = z.object({
  properties: z.record(z.string(), propertySchema).default({}),
  required: z.array(z.string()).default([]),
});

/** Length of a made-up secret: 32 bytes in hexadecimal digits. */
const RANDOM_TEXT_LENGTH = 64;

/**
 * Reads the fields of a JSON Schema (draft 2020-12) of an object, in its order. A property of a kind that has no field
 * of its own is entered as JSON.
 *
 * @throws {z.ZodError} if it is no schema of an object
 */
export function fieldsOf(schema: unknown): Field[] {
  const { properties, required } = objectSchema.parse(schema);
  return Object.entries(properties).map(([name, property]): Field => {
    const kind = kindOf(property);
    const inputType = property.format === "uri" ? "url" : property.format === "email" ? "email" : "text";
    const { minLength = 0, maxLength = Infinity, pattern, givenBySource } = property;
    const nullable = [property.type ?? []].flat().includes("null");
    const fits = minLength <= RANDOM_TEXT_LENGTH && maxLength >= RANDOM_TEXT_LENGTH;
    return {
      name,
      label: property.title ?? labelOf(name),
      description: property.description,
      kind,
      inputType,
      required: required.includes(name) && !nullable,
      emptyIsNull: required.includes(name) && nullable,
      default: property.default,
      group: property.group,
      options: (property.enum ?? []).map((value) => ({ text: String(value), value })),
      limits: limitsOf(property),
      takesRandomText: kind === "text" && inputType === "text" && pattern === undefined && fits && !givenBySource,
    };
  });
}

function kindOf({ type, enum: options, items }: Property): FieldKind {
  if (options !== undefined) return "choice";
  const [single, ...others] = [type ?? []].flat().filter((name) => name !== "null");
  if (others.length > 0) return "json";
  if (single === "string") return "text";
  if (single === "number" || single === "integer") return "number";
  if (single === "boolean") return "flag";
  return single === "array" && items?.type === "string" ? "list" : "json";
}

/** `ignoreBots` in words: "Ignore bots". */
function labelOf(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll(/[_-]+/g, " ").toLowerCase();
  return sentence(words).replaceAll(/\b(?:url|id|api|tls)\b/gi, (word) => word.toUpperCase());
}

function limitsOf({ type, minLength = 0, maxLength, minimum, maximum, items }: Property): string[] {
  // The schema of any integer names these bounds, which mean nothing to a person.
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  return [
    type === "integer" ? "A whole number" : "",
    minLength > 1 ? `At least ${minLength} characters` : "",
    maxLength === undefined ? "" : `At most ${maxLength} characters`,
    least === undefined ? "" : `${least} or more`,
    most === undefined ? "" : `${most} or less`,
    items === undefined ? "" : "One per line",
    items?.enum === undefined ? "" : `Of: ${items.enum.join(", ")}`,
  ].filter((limit) => limit !== "");
}
