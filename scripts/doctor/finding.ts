/** One line of what the doctor found. */
export interface Finding {
  /** What was looked at: "store", say. */
  readonly about: string;
  /** `warning`: it works, and somebody should look at it; `problem`: it does not. */
  readonly state: "ok" | "warning" | "problem";
  readonly detail: string;
  /** What to do about it; absent where nothing is. */
  readonly remedy?: string;
}

/** Makes findings about one thing. */
export function findingsOf(about: string): {
  ok(detail: string): Finding;
  warning(detail: string, remedy: string): Finding;
  problem(detail: string, remedy: string): Finding;
} {
  return {
    ok: (detail) => ({ about, state: "ok", detail }),
    warning: (detail, remedy) => ({ about, state: "warning", detail, remedy }),
    problem: (detail, remedy) => ({ about, state: "problem", detail, remedy }),
  };
}

/** The findings as lines of text. */
export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ about }) => about.length));
  return findings.map(({ about, state, detail, remedy }) => {
    const line = `${state.padEnd("warning".length)}  ${about.padEnd(width)}  ${detail}`;
    return remedy === undefined ? line : `${line}\n${" ".repeat("warning".length + width + 4)}-> ${remedy}`;
  }).join("\n");
}

/** The words of an error, and of what caused it: "fetch failed" alone says little. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${wordsOf(error.cause)}` : error.message;
}
