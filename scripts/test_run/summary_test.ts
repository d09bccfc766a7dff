import assert from "node:assert/strict";
import { exitCode, formatCounts, parseSummary } from "./summary.ts";

const lines: [line: string, counts: [passed: number, failed: number, skipped: number]][] = [
  ["ok | 12 passed | 0 failed (3s)", [12, 0, 0]],
  ["FAILED | 2 passed (1 step) | 1 failed | 1 ignored (89ms)", [2, 1, 1]],
  ["FAILED | 2 passed (5 steps) | 3 failed (2 steps) | 4 ignored (1 step) | 5 filtered out (1m2s)", [2, 3, 4]],
  ["ok | 0 passed | 0 failed | 3 filtered out (6ms)", [0, 0, 0]],
  ["\x1b[0m\x1b[32mok\x1b[0m | 30 passed | 0 failed \x1b[0m\x1b[38;5;245m(26s)\x1b[0m", [30, 0, 0]],
];

for (const [line, [passed, failed, skipped]] of lines) {
  Deno.test(`parseSummary reads ${JSON.stringify(line)}`, () => {
    assert.deepEqual(parseSummary(line), { passed, failed, skipped });
  });
}

Deno.test("parseSummary gives nothing for other lines", () => {
  for (const line of ["", "a test ... ok (3ms)", "it said ok | 1 passed | 0 failed"]) {
    assert.equal(parseSummary(line), undefined);
  }
});

Deno.test("formatCounts names skipped tests only if there are any", () => {
  assert.equal(formatCounts({ passed: 12, failed: 0, skipped: 0 }), "12 passed, 0 failed");
  assert.equal(formatCounts({ passed: 12, failed: 1, skipped: 2 }), "12 passed, 1 failed, 2 skipped");
});

Deno.test("exitCode is that of the tests", () => {
  assert.equal(exitCode(0, { passed: 1, failed: 0, skipped: 0 }), 0);
  assert.equal(exitCode(1, { passed: 1, failed: 1, skipped: 0 }), 1);
  assert.equal(exitCode(130, { passed: 1, failed: 0, skipped: 0 }), 130);
});

Deno.test("exitCode is not 0 when no test was run, or one failed", () => {
  assert.equal(exitCode(0, { passed: 0, failed: 0, skipped: 0 }), 1);
  assert.equal(exitCode(0, { passed: 0, failed: 0, skipped: 3 }), 1);
  assert.equal(exitCode(0, { passed: 3, failed: 1, skipped: 0 }), 1);
});
