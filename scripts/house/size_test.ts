import assert from "node:assert/strict";
import { checkSize } from "./size.ts";
import { placesOf } from "./source.ts";

Deno.test("checkSize lets 300 lines pass and not 301, tests aside", () => {
  const file = (path: string, lines: number) => ({ path, text: "a;\n".repeat(lines) });
  const files = [file("a.ts", 300), file("b.ts", 301), file("b_test.ts", 301), file("c.md", 301)];
  assert.deepEqual(placesOf(checkSize(files)), ["b.ts:301"]);
});
