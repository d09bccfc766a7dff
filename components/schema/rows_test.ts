import assert from "node:assert/strict";
import { z } from "zod";
import { schemaRows } from "./rows.ts";

const told = (schema: z.ZodType) =>
  schemaRows(z.toJSONSchema(schema)).map(({ parents, name, type, optional, values }) =>
    [[...parents, name].join("."), type, optional, ...values].join(" ")
  );

Deno.test("schemaRows tells type, whether it may be missing, and the only values", () => {
  assert.deepEqual(
    told(z.object({
      title: z.string(),
      count: z.int().nullable(),
      open: z.boolean().optional(),
      at: z.iso.datetime({ precision: 3 }).nullable(),
      id: z.union([z.number(), z.string()]),
      state: z.enum(["open", "closed"]).nullable(),
      version: z.literal("1.0"),
      data: z.unknown(),
    })),
    [
      "title text false",
      "count whole number or null false",
      "open true or false true",
      "at time or null false",
      "id number or text false",
      'state one of or null false "open" "closed"',
      'version one of false "1.0"',
      "data anything false",
    ],
  );
});

Deno.test("schemaRows puts the fields of objects, lists and tables below them", () => {
  const person = z.object({ name: z.string() });
  assert.deepEqual(
    told(z.object({
      author: person.nullable(),
      people: z.array(person),
      byTeam: z.record(z.string(), z.array(person)),
      labels: z.array(z.string()),
      values: z.record(z.string(), z.unknown()),
    })),
    [
      "author object or null false",
      "author.name text false",
      "people list of object false",
      "people[].name text false",
      "byTeam table of list of object false",
      "byTeam.*[].name text false",
      "labels list of text false",
      "values table of anything false",
    ],
  );
});

Deno.test("schemaRows takes the description of what a field holds where it has none of its own", () => {
  const person = z.object({ name: z.string().describe("Its name") }).describe("A person");
  const title = z.string().describe("Its title");
  const schema = z.object({
    author: person.nullable(),
    owner: person.describe("Who owns it"),
    people: z.array(person),
    title: title.nullable(),
  });
  assert.deepEqual(schemaRows(z.toJSONSchema(schema)).map(({ description }) => description), [
    "A person",
    "Its name",
    "Who owns it",
    "Its name",
    "A person",
    "Its name",
    "Its title",
  ]);
});
