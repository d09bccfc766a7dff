import assert from "node:assert/strict";
import { z } from "zod";
import { faultsOf } from "./faults.ts";

for (
  const [schema, input, said] of [
    [z.string(), 5, "expected a text, not a number"],
    [z.string(), undefined, "is required"],
    [z.string(), null, "expected a text, not null"],
    [z.boolean(), "yes", "expected true or false, not a text"],
    [z.coerce.number(), "many", "expected a number"],
    [z.int(), 1.5, "expected a whole number"],
    [z.int(), "1", "expected a number, not a text"],
    [z.object({}), [], "expected an object, not a list"],
    [z.array(z.string()), {}, "expected a list, not an object"],
    [z.record(z.string(), z.string()), 5, "expected an object, not a number"],
    [z.literal("a"), "b", 'expected "a"'],
    [z.enum(["a", "b"]), "c", 'expected one of "a", "b"'],
    [z.enum(["a", "b"]), undefined, "is required"],
    [z.string().min(1), "", "expected at least 1 character"],
    [z.string().max(2), "abc", "expected at most 2 characters"],
    [z.string().length(2), "abc", "expected exactly 2 characters"],
    [z.array(z.string()).min(2), ["a"], "expected at least 2 entries"],
    [z.number().max(5), 6, "expected at most 5"],
    [z.number().positive(), 0, "expected more than 0"],
    [z.number().lt(5), 5, "expected less than 5"],
    [z.number().multipleOf(5), 6, "expected a multiple of 5"],
    [z.url(), "somewhere", "expected a URL"],
    [z.guid(), "1", "expected a UUID"],
    [z.iso.datetime(), "today", "expected a time such as 2026-03-02T12:00:00Z (RFC 3339)"],
    [z.string().regex(/^[a-z]+$/), "A", "expected a text that matches /^[a-z]+$/"],
    [z.jwt(), "A", "expected a text in the format jwt"],
    [z.union([z.string(), z.array(z.string())]), 5, "expected a text or a list"],
    [z.union([z.object({ a: z.string() }), z.string()]), { a: 5 }, "does not fit"],
    [z.discriminatedUnion("a", [z.object({ a: z.literal("b") })]), { a: 5 }, "does not fit"],
    [z.record(z.string().max(1), z.string()), { bc: "" }, "expected at most 1 character"],
    [z.string().refine(() => false), "a", "does not fit"],
    [z.string("must be a name"), 5, "must be a name"],
  ] as const
) {
  Deno.test(`of ${JSON.stringify(input) ?? "nothing"} a ${schema.def.type} schema says: ${said}`, () => {
    const { error = assert.fail("it fits") } = schema.safeParse(input);
    assert.deepEqual([...new Set(faultsOf(error).map(({ detail }) => detail))].slice(0, 1), [said]);
  });
}
