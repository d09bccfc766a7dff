import assert from "node:assert/strict";
import { InvalidInputError } from "../errors.ts";
import { cleanName } from "./name.ts";

Deno.test("cleanName takes what people call things, without the blanks around it", () => {
  for (const name of ["Acme", "Søren & Co. <ops>", "مثال", "a".repeat(200)]) {
    assert.equal(cleanName(` ${name}\n`, ""), name);
  }
});

Deno.test("cleanName refuses what is empty, too long, or would not be seen as it is", () => {
  for (const name of ["", " \t", "a".repeat(201), "a\nb", "a\u0000b", "a\u001b[31m", "a\u202eb", "a\u2066b"]) {
    assert.throws(() => cleanName(name, "/name"), (error) => {
      assert.ok(error instanceof InvalidInputError);
      assert.match(JSON.stringify(error.faults), /"pointer":"\/name","detail":"must be a text of 1 to 200/);
      return true;
    });
  }
});
