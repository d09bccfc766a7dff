/** What the rules of the house look at, and what they say. */

/** A file of the repository. */
export interface SourceFile {
  /** Relative to the repository's root, with `/`. */
  readonly path: string;
  /** All that is in it. */
  readonly text: string;
}

/** A rule that a file breaks. */
export interface Violation {
  /** The file's path. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** What is wrong, without a full stop. */
  readonly wrong: string;
  /** What to do instead, without a full stop. */
  readonly instead: string;
}

/** Writes a violation as one line: `file:line: what is wrong. What to do instead.` */
export function formatViolation({ file, line, wrong, instead }: Violation): string {
  return `${file}:${line}: ${wrong}. ${instead}.`;
}

/** Where violations are, each as `file:line`. */
export function placesOf(violations: readonly Violation[]): string[] {
  return violations.map(({ file, line }) => `${file}:${line}`);
}

/** The line, from 1, of a place in a text. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** Whether a file is code. */
export function isCode(path: string): boolean {
  return /\.(?:ts|tsx|mts|js|jsx|mjs)$/.test(path);
}

/** Whether a file is there for tests only: a test, or what tests are helped by. */
export function isTest(path: string): boolean {
  return /^tests\/|(?:^|[/._])test\.tsx?$/.test(path);
}
