/** Reading how a test run of Deno went from the last line it prints. */

/** How many tests passed, failed and were skipped. Steps of tests do not count. */
export interface TestCounts {
  /** Tests that passed. */
  readonly passed: number;
  /** Tests, and files that could not be run, that failed. */
  readonly failed: number;
  /** Tests that were ignored. */
  readonly skipped: number;
}

// deno-lint-ignore no-control-regex -- this is how colours begin
const COLOURS = /\x1b\[[0-9;]*m/g;
const SUMMARY = /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/;

/** Reads a line such as `ok | 12 passed (3 steps) | 0 failed | 1 ignored (3s)`; gives nothing for any other. */
export function parseSummary(line: string): TestCounts | undefined {
  const found = SUMMARY.exec(line.replaceAll(COLOURS, ""));
  if (!found) return undefined;
  const [passed = 0, failed = 0, skipped = 0] = found.slice(1).map((count) => Number(count ?? 0));
  return { passed, failed, skipped };
}

/** Writes counts as `12 passed, 0 failed`, with `, 1 skipped` if there are any. */
export function formatCounts({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** The code to end with: that of the tests, but never 0 if a test failed or none was run. */
export function exitCode(testsCode: number, { passed, failed }: TestCounts): number {
  return testsCode === 0 && (failed > 0 || passed === 0) ? 1 : testsCode;
}
