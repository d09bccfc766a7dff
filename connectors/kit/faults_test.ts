import assert from "node:assert/strict";
import { z } from "zod";
import { faultsOf } from "./faults.ts";

const schema = z.strictObject({ events: z.record(z.string().regex(/^[a-z]+$/, "is no name"), z.int()) });

function faultsIn(input: unknown) {
  const { error } = schema.safeParse(input);
  return error === undefined ? [] : faultsOf(error);
}

Deno.test("faultsOf says of a name what its schema says, and where it stands", () => {
  assert.deepEqual(faultsIn({ events: { "A/b": 1 } }), [{ pointer: "/events/A~1b", detail: "is no name" }]);
});

Deno.test("faultsOf names each setting that is not known", () => {
  assert.deepEqual(faultsIn({ events: {}, "a~": 1, b: 2 }), [
    { pointer: "/a~0", detail: "is not known here" },
    { pointer: "/b", detail: "is not known here" },
  ]);
});
