/** How long a file may be. */

import { isCode, isTest, type SourceFile, type Violation } from "./source.ts";

const MOST_LINES = 300;

/** Checks that no file of code outside the tests is longer than {@linkcode MOST_LINES} lines. */
export function checkSize(files: readonly SourceFile[]): Violation[] {
  return files.filter(({ path }) => isCode(path) && !isTest(path)).flatMap(({ path, text }): Violation[] => {
    const lines = text.trimEnd().split("\n").length;
    if (lines <= MOST_LINES) return [];
    const wrong = `The file has ${lines} lines, more than ${MOST_LINES}`;
    return [{
      file: path,
      line: MOST_LINES + 1,
      wrong,
      instead: "Split it where its parts have different reasons to change",
    }];
  });
}
