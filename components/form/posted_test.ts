import assert from "node:assert/strict";
import { z } from "zod";
import { fieldsOf } from "./fields.ts";
import { postedSuggestions, readableFaults, readPosted, readPostedSecrets, storedTexts, typedTexts } from "./posted.ts";

const schema = z.strictObject({
  text: z.string().optional(),
  count: z.int().optional(),
  flag: z.boolean().default(true),
  level: z.literal([1, 2, 3]).optional(),
  names: z.array(z.string()).default(["all"]),
  rules: z.record(z.string(), z.number()).optional(),
});
const fields = fieldsOf(z.toJSONSchema(schema, { io: "input" }));

function posted(entries: Record<string, string>) {
  const form = Object.entries(entries).map(([name, value]) => [`config.${name}`, value]);
  return new URLSearchParams(form);
}

Deno.test("readPosted gives each value its type back", () => {
  const form = posted({ text: " a ", count: "-3", flag: "on", level: "2", names: "a\r\n\r\n b\r\n", rules: '{"a":1}' });
  const values = { text: "a", count: -3, flag: true, level: 2, names: ["a", "b"], rules: { a: 1 } };
  assert.deepEqual(readPosted("config", fields, form), values);
  assert.deepEqual(schema.parse(readPosted("config", fields, form)), values);
});

Deno.test("readPosted leaves out what is empty, and takes what is not ticked for no", () => {
  assert.deepEqual(readPosted("config", fields, posted({ text: "  ", count: "" })), { flag: false, names: [] });
});

Deno.test("readPosted passes on what does not fit as it was typed", () => {
  const form = posted({ count: "three", level: "9", rules: "{", names: "" });
  const values = { count: "three", flag: false, level: "9", names: [], rules: "{" };
  assert.deepEqual(readPosted("config", fields, form), values);
  assert.equal(schema.safeParse(values).error?.issues.length, 3);
});

Deno.test("readableFaults says of a text that is no JSON only that", () => {
  const fault = { pointer: "/config/rules", detail: "expected record, received string" };
  const other = { pointer: "/config/count", detail: "expected number, received string" };
  const said = { pointer: "/config/rules", detail: "is not JSON" };
  assert.deepEqual(readableFaults([fault, other], fields, posted({ rules: "{", count: "three" })), [said, other]);
  assert.deepEqual(readableFaults([fault], fields, posted({ rules: '"text"' })), [fault]);
  assert.deepEqual(readableFaults([fault], fields, posted({ rules: " " })), [fault]);
});

Deno.test("readPosted knows only the fields of the schema", () => {
  assert.deepEqual(readPosted("config", [], posted({ text: "a", __proto__: "b" })), {});
});

Deno.test("readPostedSecrets replaces what was entered, clears what was ticked, and keeps the rest", () => {
  const secrets = fieldsOf(z.toJSONSchema(z.strictObject({ a: z.string(), b: z.string(), c: z.string() })));
  const form = new URLSearchParams({ "secrets.a": "new", "secrets.b": "", "clear.b": "on", "secrets.c": "" });
  assert.deepEqual(readPostedSecrets(secrets, form), { a: "new", b: null });
});

Deno.test("what is stored and what was typed come back as the same texts", () => {
  const config = { text: "a", count: -3, flag: true, level: 2, names: ["a", "b"] };
  const texts = storedTexts(fields, config);
  assert.deepEqual(texts, { text: "a", count: "-3", flag: "on", level: "2", names: "a\nb", rules: "" });
  assert.deepEqual(typedTexts(fields, posted(texts)), texts);
  assert.deepEqual(storedTexts(fields, {}), { text: "", count: "", flag: "on", level: "", names: "all", rules: "" });
});

Deno.test("readPosted takes nothing entered for null where the schema asks for it", () => {
  const nullable = fieldsOf(z.toJSONSchema(z.strictObject({ a: z.string().nullable() })));
  assert.deepEqual(readPosted("config", nullable, new URLSearchParams({ "config.a": "" })), { a: null });
});

Deno.test("postedSuggestions gives the secrets that were left as they were made up, and no other", () => {
  const form = (entered: string) => new URLSearchParams({ "suggested.text": "made up", "secrets.text": entered });
  assert.deepEqual(postedSuggestions(fields, form("made up")), { text: "made up" });
  for (const entered of ["typed", ""]) assert.deepEqual(postedSuggestions(fields, form(entered)), {});
  assert.deepEqual(postedSuggestions(fields, new URLSearchParams({ "secrets.text": "typed" })), {});
});
