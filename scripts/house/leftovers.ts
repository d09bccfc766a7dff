/** What must not be left behind: notes of unfinished work, and tests that do not run. */

import { mask } from "./mask.ts";
import { isCode, lineAt, type SourceFile, type Violation } from "./source.ts";

const NOTE = /\b(?:TODO|FIXME|XXX)\b/g;
const UNRUN = /\b(?:Deno\s*\.\s*test|describe|it|test)\s*\.\s*(?:ignore|only|skip)\b|\b(?:ignore|only)\s*:\s*true\b/g;

/** Checks that no comment speaks of unfinished work, and that no test is switched off or runs alone. */
export function checkLeftovers(files: readonly SourceFile[]): Violation[] {
  return files.filter(({ path }) => isCode(path)).flatMap(({ path, text }) => {
    const { code, comments } = mask(text);
    const at = (match: RegExpExecArray) => ({ file: path, line: lineAt(text, match.index) });
    return [
      ...[...comments.matchAll(NOTE)].map((match): Violation => ({
        ...at(match),
        wrong: `A ${match[0]} is left in the source`,
        instead: "Do it now, or write an issue and remove the comment",
      })),
      ...[...code.matchAll(UNRUN)].map((match): Violation => ({
        ...at(match),
        wrong: `"${match[0]}" keeps tests from running`,
        instead: "Let the test run; if it can only run somewhere, make the condition its value and say why",
      })),
    ];
  });
}
