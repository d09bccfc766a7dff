/**
 * The commands that documents show. Each block of them says in its fence how it is known to work:
 *
 *     ```sh run                             the documents' test runs it, after those above it, in one shell
 *     ```sh background                      as well, and leaves it running until the document ends
 *     ```sh tested-by: tests/x_test.ts      that test runs it
 *     ```sh no-run: needs Docker            nobody does, and why
 *
 * A block of `text` right after one that is run is what it prints; in it `…` stands for anything. `text later` is what a
 * block in the background has printed by then.
 *
 * @module
 */

/** How a block of commands is known to work. */
export type Proof = "run" | "background" | "tested-by" | "no-run";

/** A block of commands in a document. */
export interface ShellBlock {
  readonly document: string;
  /** Where its fence is, from 1. */
  readonly line: number;
  /** `undefined`: its fence does not say. */
  readonly proof: Proof | undefined;
  /** The test, or the reason. */
  readonly detail: string;
  readonly text: string;
  /** What it prints; `undefined`: that is not shown. */
  readonly prints: string | undefined;
  /** What blocks in the background have printed when it is done. */
  readonly later: string | undefined;
}

const FENCE = /^( *)```(\S*)[ \t]*(.*)\n([\s\S]*?)^ *```[ \t]*$/gm;
const PROOF = /^(?:(run|background)|(tested-by|no-run): *(\S.*))$/;

/** The blocks of commands in a Markdown document. */
export function shellBlocks(document: string, markdown: string): ShellBlock[] {
  const blocks: ShellBlock[] = [];
  for (const { index, 1: indent = "", 2: language, 3: info = "", 4: inner = "" } of markdown.matchAll(FENCE)) {
    const text = inner.replaceAll(new RegExp(`^ {0,${indent.length}}`, "gm"), "");
    const last = blocks.pop();
    if (last !== undefined) {
      const shown = language !== "text" ? {} : info === "later" ? { later: text } : { prints: text };
      blocks.push({ ...last, ...shown });
    }
    if (language !== "sh") continue;
    const [, runs, otherwise, detail = ""] = PROOF.exec(info.trim()) ?? [];
    const proof = PROOFS.find((name) => name === (runs ?? otherwise));
    const line = markdown.slice(0, index).split("\n").length;
    blocks.push({ document, line, proof, detail, text, prints: undefined, later: undefined });
  }
  return blocks;
}

const PROOFS = ["run", "background", "tested-by", "no-run"] as const;

/** Whether `printed` is what a document shows, in which `…` stands for anything and a line of `…` for any lines. */
export function isAsShown(printed: string, shown: string): boolean {
  const lines = shown.trim().split("\n");
  const patterns = lines.map((line, index) => {
    if (line.trim() === "…") return "(?:.*\\n)*";
    return line.split("…").map(RegExp.escape).join(".*") + (index < lines.length - 1 ? "\\n" : "");
  });
  return new RegExp(patterns.join("")).test(printed);
}
