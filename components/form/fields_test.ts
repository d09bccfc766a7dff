import assert from "node:assert/strict";
import { z } from "zod";
import { fieldsOf } from "./fields.ts";

function fieldFor(type: z.ZodType) {
  return fieldsOf(z.toJSONSchema(z.strictObject({ someValue: type }), { io: "input" }))[0] ?? assert.fail();
}

const kinds: readonly [string, z.ZodType, string][] = [
  ["a string", z.string(), "text"],
  ["a string or null", z.string().nullable(), "text"],
  ["a number", z.number(), "number"],
  ["an integer", z.int(), "number"],
  ["a boolean", z.boolean(), "flag"],
  ["an enumeration", z.enum(["a", "b"]), "choice"],
  ["numbers to choose from", z.literal([1, 2]), "choice"],
  ["an array of strings", z.array(z.string()), "list"],
  ["an array of choices", z.array(z.enum(["a", "b"])), "list"],
  ["an array of numbers", z.array(z.number()), "json"],
  ["an object", z.object({ a: z.string() }), "json"],
  ["a union", z.union([z.string(), z.object({})]), "json"],
];

for (const [name, type, kind] of kinds) {
  Deno.test(`fieldsOf enters ${name} as ${kind}`, () => assert.equal(fieldFor(type).kind, kind));
}

Deno.test("fieldsOf says in words what a field is, asks for and defaults to", () => {
  const field = fieldFor(z.string().min(16).max(99).describe("What it is"));
  assert.equal(field.label, "Some value");
  assert.equal(field.description, "What it is");
  assert.deepEqual(field.limits, ["At least 16 characters", "At most 99 characters"]);
  assert.equal(field.required, true);
  assert.equal(fieldFor(z.string().default("x")).default, "x");
  assert.equal(fieldFor(z.string().default("x")).required, false);
  assert.deepEqual(fieldFor(z.int().min(2)).limits, ["A whole number", "2 or more"]);
});

Deno.test("fieldsOf writes abbreviations as such, wherever they stand", () => {
  const labels = fieldsOf(z.toJSONSchema(z.object({ tls: z.string(), subjectUrl: z.string(), apiId: z.string() })))
    .map(({ label }) => label);
  assert.deepEqual(labels, ["TLS", "Subject URL", "API ID"]);
});

Deno.test("fieldsOf knows URLs, mail addresses and what a source gives, for which no text can be made up", () => {
  assert.equal(fieldFor(z.url()).inputType, "url");
  assert.equal(fieldFor(z.email()).inputType, "email");
  assert.equal(fieldFor(z.string().min(16)).takesRandomText, true);
  const given = z.string().min(16).meta({ description: "Theirs", givenBySource: true });
  for (const type of [z.url(), z.email(), z.string().max(40), z.string().regex(/^whsec_/), z.int(), given]) {
    assert.equal(fieldFor(type).takesRandomText, false);
  }
});

Deno.test("fieldsOf takes a connector without settings", () => {
  assert.deepEqual(fieldsOf(z.toJSONSchema(z.strictObject({}))), []);
});
