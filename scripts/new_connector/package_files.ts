import type { Names } from "./names.ts";

/** The files of a new source's package, by path. */
export function packageFiles(names: Names): Record<string, string> {
  const folder = `packages/${names.packageFolder}`;
  return {
    [`${folder}/deno.json`]: manifest(names),
    [`${folder}/mod.ts`]: code(names),
    [`${folder}/mod_test.ts`]: test(names),
    [`${folder}/README.md`]: readme(names),
  };
}

function manifest(names: Names): string {
  const written = { name: names.package, version: "0.1.0", license: "MIT", exports: "./mod.ts" };
  return `${JSON.stringify(written, null, 2)}\n`;
}

function code({ id, camel, pascal, title }: Names): string {
  return `/**
 * What the ${title} connector of Inlet emits: a constant for every event type, and a payload schema for each.
 *
 * @module
 */
import type { EventOf } from "@inlet/events-core";
import { z } from "zod";

/** The event types by name. */
export const ${pascal}EventType = {
  THING_CREATED: "${id}.thing.created",
} as const;

/** An event type of ${title}. */
export type ${pascal}EventType = (typeof ${pascal}EventType)[keyof typeof ${pascal}EventType];

/** Every event type that the ${title} connector can emit, sorted. */
export const ${camel}EventTypes: readonly ${pascal}EventType[] = Object.values(${pascal}EventType).sort();

/** Tells whether a type is one that the ${title} connector of this version can emit. */
export function is${pascal}EventType(type: string): type is ${pascal}EventType {
  return ${camel}EventTypes.some((known) => known === type);
}

/** What each event type means, in a sentence: what has happened, and when it comes. */
export const ${camel}EventDescriptions: Readonly<Record<${pascal}EventType, string>> = {
  "${id}.thing.created": "Somebody created a thing in ${title}.",
};

/** Payload of \`${id}.thing.created\`. */
export const ${camel}ThingPayloadSchema = z.object({
  thing: z.object({
    id: z.string().meta({ description: "The source's identifier of the thing" }),
    title: z.string().meta({ description: "What people call it" }),
  }).meta({ description: "The thing that was created" }),
});

/** Payload of \`${id}.thing.created\`. */
export type ${pascal}ThingPayload = z.output<typeof ${camel}ThingPayloadSchema>;

/** The payload schema of every event type. They strip what they do not know. */
export const ${camel}PayloadSchemas = {
  [${pascal}EventType.THING_CREATED]: ${camel}ThingPayloadSchema,
} as const;

/** Any event of the ${title} connector, its payload told by its \`type\`. */
export type ${pascal}Event = EventOf<typeof ${camel}PayloadSchemas>;
`;
}

function test({ id, camel, pascal }: Names): string {
  return `import assert from "node:assert/strict";
import { ${camel}EventTypes, ${camel}PayloadSchemas, is${pascal}EventType } from "./mod.ts";

Deno.test("every type has a payload schema", () => {
  assert.deepEqual(Object.keys(${camel}PayloadSchemas).sort(), ${camel}EventTypes);
  assert.ok(${camel}EventTypes.every(is${pascal}EventType));
  assert.equal(is${pascal}EventType("${id}.thing.unheard_of"), false);
});
`;
}

function readme({ title, camel, pascal, package: name }: Names): string {
  return `# ${name}

What the ${title} connector of Inlet emits: a constant for every event type, and a payload schema (zod) for each.

\`\`\`ts
import { normalizedEventSchema } from "@inlet/events-core";
import { ${camel}PayloadSchemas, ${pascal}EventType } from "${name}";

export function tell(message: string): void {
  const event = normalizedEventSchema.parse(JSON.parse(message));
  if (event.type === ${pascal}EventType.THING_CREATED) {
    const { thing } = ${camel}PayloadSchemas[event.type].parse(event.payload);
    console.log(thing.title);
  }
}
\`\`\`

\`${camel}EventDescriptions\` says what each type means.
`;
}
