import assert from "node:assert/strict";
import { z } from "zod";
import { breaksOf, mayBreak } from "./compatibility.ts";

const schemaOf = (type: z.ZodType) => JSON.parse(JSON.stringify(z.toJSONSchema(type)));
const before = z.object({
  title: z.string().nullable(),
  state: z.enum(["open", "closed"]),
  labels: z.array(z.object({ name: z.string() })),
  note: z.string().optional(),
});
const shape = before.shape;

for (
  const [what, now] of [
    ["one field more", before.extend({ color: z.string() })],
    ["another description", before.extend({ title: shape.title.describe("What people call it") })],
    ["a value less", before.extend({ state: z.enum(["open"]) })],
    ["a field that is never null any more", before.extend({ title: z.string() })],
    ["a field that is always there now", before.extend({ note: z.string() })],
    [
      "one field more in a list's items",
      before.extend({ labels: z.array(z.object({ name: z.string(), id: z.int() })) }),
    ],
  ] as const
) {
  Deno.test(`breaksOf: ${what} breaks nobody`, () => {
    assert.deepEqual(breaksOf(schemaOf(before), schemaOf(now)), []);
  });
}

for (
  const [what, now, place, change] of [
    ["a field that is gone", before.omit({ title: true }), "/title", /^was removed$/],
    ["a field that may be missing", before.extend({ state: shape.state.optional() }), "/state", /^may be missing now$/],
    ["a field that may be null", before.extend({ note: z.string().nullable().optional() }), "/note", /type|kind/],
    ["another type", before.extend({ note: z.number().optional() }), "/note", /^had type "string" and has "number"$/],
    ["another type beside null", before.extend({ title: z.number().nullable() }), "/title", /^had type/],
    ["a new value", before.extend({ state: z.enum(["open", "closed", "draft"]) }), "/state", /^had enum/],
    ["a field gone in a list's items", before.extend({ labels: z.array(z.object({})) }), "/labels/*/name", /removed/],
  ] as const
) {
  Deno.test(`breaksOf: ${what} is told by its place`, () => {
    const found = breaksOf(schemaOf(before), schemaOf(now));
    assert.ok(found.some((one) => one.place === place && change.test(one.change)), JSON.stringify(found));
  });
}

Deno.test("mayBreak allows a greater major, and below version 1 a greater minor", () => {
  for (const [was, is] of [["1.2.3", "2.0.0"], ["0.1.0", "0.2.0"], ["0.1.0", "1.0.0"]] as const) {
    assert.ok(mayBreak(was, is), `${was} ${is}`);
  }
  for (const [was, is] of [["1.2.3", "1.3.0"], ["0.1.0", "0.1.1"], ["1.0.0", "1.0.0"]] as const) {
    assert.ok(!mayBreak(was, is), `${was} ${is}`);
  }
});
