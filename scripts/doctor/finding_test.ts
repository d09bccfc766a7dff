import assert from "node:assert/strict";
import { findingsOf, formatFindings, wordsOf } from "./finding.ts";

Deno.test("formatFindings puts what to do below what was found", () => {
  const findings = [
    findingsOf("store").ok("is there"),
    findingsOf("public URL").problem("does not answer", "See to DNS"),
  ];
  assert.equal(
    formatFindings(findings),
    [
      "ok       store       is there",
      "problem  public URL  does not answer",
      "                     -> See to DNS",
    ].join("\n"),
  );
});

Deno.test("wordsOf tells what caused an error", () => {
  const error = new TypeError("fetch failed", { cause: new Error("connection refused") });
  assert.deepEqual([wordsOf(error), wordsOf("odd")], ["fetch failed: connection refused", "odd"]);
});
