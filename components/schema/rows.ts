import { z } from "zod";

/** A field of what a JSON Schema describes. */
export interface SchemaRow {
  /** The names of the objects that it is in, outermost first; a list's have `[]` behind them, a table's `.*`. */
  readonly parents: readonly string[];
  readonly name: string;
  /** What it is, in words, such as `list of text` or `number or null`. */
  readonly type: string;
  readonly optional: boolean;
  readonly description: string;
  /** The only values there are; empty where there are others. */
  readonly values: readonly string[];
}

const schemaSchema = z.object({
  type: z.union([z.string().transform((type) => [type]), z.array(z.string())]).default([]),
  description: z.string().default(""),
  format: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  items: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
});
type Schema = z.output<typeof schemaSchema>;

/**
 * The fields that a JSON Schema (draft 2020-12) describes, each followed by those within it.
 *
 * @throws {z.ZodError} if it is no schema
 */
export function schemaRows(schema: unknown): SchemaRow[] {
  return rowsBelow(schemaSchema.parse(schema), []);
}

function rowsBelow({ properties = {}, required }: Schema, parents: readonly string[]): SchemaRow[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const schema = schemaSchema.parse(property);
    const { suffix, within } = innerOf(schema);
    return [
      {
        parents,
        name,
        type: typeOf(schema),
        optional: !required.includes(name),
        description: descriptionOf(schema) || (within?.description ?? ""),
        values: valuesOf(schema),
      },
      ...within === undefined ? [] : rowsBelow(within, [...parents, name + suffix]),
    ];
  });
}

/** The object whose fields stand below a field: its own, that of its list's items, or of its table's values. */
function innerOf(schema: Schema): { readonly suffix: string; readonly within: Schema | undefined } {
  if (schema.anyOf !== undefined) {
    const inner = schema.anyOf.map((variant) => innerOf(schemaSchema.parse(variant)));
    return inner.find(({ within }) => within !== undefined) ?? { suffix: "", within: undefined };
  }
  if (schema.properties !== undefined) return { suffix: "", within: schema };
  const nested = schema.items === undefined ? tableOf(schema) : schemaSchema.parse(schema.items);
  if (nested === undefined) return { suffix: "", within: undefined };
  const { suffix, within } = innerOf(nested);
  return { suffix: `${schema.items === undefined ? ".*" : "[]"}${suffix}`, within };
}

/** A schema's own description, or that of one of its variants: that something can be null hides it there. */
function descriptionOf({ description, anyOf = [] }: Schema): string {
  const variants = anyOf.map((variant) => schemaSchema.parse(variant).description);
  return description || (variants.find((variant) => variant !== "") ?? "");
}

/** What the values of a table are, whose keys nobody knows before. */
function tableOf({ additionalProperties }: Schema): Schema | undefined {
  const { success, data } = schemaSchema.safeParse(additionalProperties);
  return success ? data : undefined;
}

const FORMATS = new Map([["date-time", "time"], ["uuid", "UUID"], ["date", "date"]]);
const TYPES = new Map([["string", "text"], ["boolean", "true or false"], ["integer", "whole number"]]);

function typeOf(schema: Schema): string {
  const { type, format, anyOf, items, properties } = schema;
  if (schema.const !== undefined || schema.enum !== undefined) return "one of";
  if (anyOf !== undefined) return anyOf.map((variant) => typeOf(schemaSchema.parse(variant))).join(" or ");
  if (type.includes("array")) return `list of ${items === undefined ? "anything" : typeOf(schemaSchema.parse(items))}`;
  if (type.includes("object") && properties === undefined) {
    const values = tableOf(schema);
    return `table of ${values === undefined ? "anything" : typeOf(values)}`;
  }
  return FORMATS.get(format ?? "") ?? (type.map((each) => TYPES.get(each) ?? each).join(" or ") || "anything");
}

function valuesOf(schema: Schema): string[] {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  const own = (schema.enum ?? []).map((value) => JSON.stringify(value));
  return [...own, ...(schema.anyOf ?? []).flatMap((variant) => valuesOf(schemaSchema.parse(variant)))];
}
