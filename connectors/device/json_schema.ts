import { z } from "zod";

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"] as const;

/** The formats that are checked. */
const FORMATS = [
  "date",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "json-pointer",
  "time",
  "uri",
  "uri-reference",
  "uuid",
] as const;

const REFERENCE = /^#(?:\/\$defs\/([A-Za-z0-9._-]+))?$/;
const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const LONGEST_PATTERN = 500;

const count = z.int().nonnegative();
const pattern = z.string().max(LONGEST_PATTERN).refine(isPattern, "is no regular expression");
const schema = z.unknown().superRefine((value, context) => {
  for (const { path, message } of typeof value === "boolean" ? [] : keywordFaults(value)) {
    context.addIssue({ code: "custom", path, message });
  }
});
const schemas = z.array(schema).min(1);
const byName = z.record(z.string(), schema);
/** The validator takes what every object inherits, `constructor` say, for a property of it. */
const isTold = (name: string) => !(name in {});
const NOT_TOLD = "is a name that the validator cannot tell: choose another";
const property = z.string().refine(isTold, NOT_TOLD);
const byProperty = byName.superRefine((value, context) => {
  for (const name of Object.keys(value)) {
    if (!isTold(name)) context.addIssue({ code: "custom", path: [name], message: NOT_TOLD });
  }
});

/**
 * The keywords of JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12/json-schema-validation) that custom
 * events may use. A keyword that is not among them is a fault, for a misspelt one would let everything through. What
 * gives a schema another address (`$id`, `$anchor`, `$dynamicRef`) is left out: one schema stands for itself.
 */
const keywords = z.strictObject({
  $schema: z.literal(DIALECT),
  $comment: z.string(),
  $defs: byName,
  $ref: z.string().regex(REFERENCE, 'expected "#" or "#/$defs/" and a name'),
  title: z.string(),
  description: z.string(),
  default: z.unknown(),
  examples: z.array(z.unknown()),
  deprecated: z.boolean(),
  type: z.union([z.enum(TYPES), z.array(z.enum(TYPES)).min(1)], {
    error: `expected one or several of ${TYPES.join(", ")}`,
  }),
  enum: z.array(z.unknown()).min(1),
  const: z.unknown(),
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  not: schema,
  if: schema,
  then: schema,
  else: schema,
  properties: byProperty,
  patternProperties: z.record(pattern, schema),
  additionalProperties: schema,
  unevaluatedProperties: schema,
  propertyNames: schema,
  required: z.array(property),
  dependentRequired: z.record(z.string(), z.array(property)),
  dependentSchemas: byProperty,
  minProperties: count,
  maxProperties: count,
  items: schema,
  prefixItems: schemas,
  unevaluatedItems: schema,
  contains: schema,
  minContains: count,
  maxContains: count,
  minItems: count,
  maxItems: count,
  uniqueItems: z.boolean(),
  minimum: z.number(),
  maximum: z.number(),
  exclusiveMinimum: z.number(),
  exclusiveMaximum: z.number(),
  multipleOf: z.number().positive(),
  minLength: count,
  maxLength: count,
  pattern,
  format: z.enum(FORMATS),
}).partial();

/** A fault in a schema: where, and what to change. */
export interface SchemaFault {
  readonly path: PropertyKey[];
  readonly message: string;
}

/** What keeps `value` from being a JSON Schema of the keywords that custom events may use. */
export function jsonSchemaFaults(value: Record<string, unknown>): SchemaFault[] {
  const faults = keywordFaults(value);
  return faults.length > 0 ? faults : unresolved(value, value, []);
}

function keywordFaults(value: unknown): SchemaFault[] {
  const parsed = keywords.safeParse(value);
  return parsed.success ? [] : parsed.error.issues.flatMap((issue): SchemaFault[] => {
    const { path, message } = issue;
    if (issue.code !== "unrecognized_keys") return [{ path, message }];
    return issue.keys.map((key) => ({ path: [...path, key], message: "is no keyword that is known here" }));
  });
}

/** The references anywhere in `value` to definitions that the schema does not have. */
function unresolved(value: unknown, root: Record<string, unknown>, path: readonly string[]): SchemaFault[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]): SchemaFault[] => {
    const here = [...path, key];
    if (key !== "$ref" || typeof child !== "string") return unresolved(child, root, here);
    const [, name] = REFERENCE.exec(child) ?? [];
    const definitions = z.record(z.string(), z.unknown()).safeParse(root.$defs).data ?? {};
    if (child === "#" || name !== undefined && Object.hasOwn(definitions, name)) return [];
    return [{ path: here, message: "refers to a definition that is not in $defs" }];
  });
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
