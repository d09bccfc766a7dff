import assert from "node:assert/strict";
import { formatted } from "./formatted.ts";

Deno.test("formatted leaves text as deno fmt would, and gives nothing for what is no code", async () => {
  assert.equal(await formatted("const a=1", "ts"), "const a = 1;\n");
  await assert.rejects(formatted("const = ;", "ts"), { name: "CommandError", message: /Cannot format the ts/ });
});
