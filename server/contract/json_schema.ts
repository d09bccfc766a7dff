import { z } from "zod";

/** A JSON Schema, or a part of one. */
export type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema of what a zod schema gives: draft 2020-12, or draft 7, which is what AsyncAPI builds on. Objects take
 * fields that are not named: a later version tells more, and a consumer that was generated today goes on.
 */
export function jsonSchemaOf(schema: z.ZodType, target: "draft-2020-12" | "draft-07" = "draft-2020-12"): JsonSchema {
  const { $schema: _, ...written } = z.toJSONSchema(schema, {
    target,
    override({ jsonSchema }) {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return written;
}

/** The JSON Schema (draft 2020-12) of what is to be sent for a zod schema: what has a default may be left out. */
export function inputSchemaOf(schema: z.ZodType): JsonSchema {
  return { ...z.toJSONSchema(schema, { io: "input" }) };
}
