/** Links between the documents and the files of the repository. */

import { lineAt, type SourceFile, type Violation } from "./source.ts";

const CODE = /^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^ *\2[^\n]*$|(`+)(?!`)[\s\S]*?[^`]\3(?!`)|<!--[\s\S]*?-->/gm;
const INLINE = /\]\(\s*(?:<([^>\n]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+["'][^)]*)?\)/g;
const REFERENCE = /^ {0,3}\[[^\]^]+\]:\s*(?:<([^>\n]*)>|(\S+))/gm;
const HTML = /<(?:a|img)\b[^>]*?\b(?:href|src)="(([^"]*))"/g;

function resolveLink(target: string, from: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|$)/i.test(target)) return undefined;
  const base = new URL(from, "file:///");
  const path = decodeURI(new URL(target, base).pathname).slice(1);
  return path.replace(/\/$/, "");
}

/**
 * Checks that every relative link in the Markdown files points to a file or folder of the repository.
 *
 * @param paths All files that there are, since links also go to those that hold no text.
 */
export function checkLinks(files: readonly SourceFile[], paths: readonly string[]): Violation[] {
  const known = new Set(["", ...paths]);
  for (const path of paths) {
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) known.add(path.slice(0, at));
  }
  return files.filter(({ path }) => path.endsWith(".md")).flatMap(({ path, text }) => {
    const prose = text.replaceAll(CODE, (code) => code.replaceAll(/[^\n]/g, " "));
    return [INLINE, REFERENCE, HTML].flatMap((pattern) => [...prose.matchAll(pattern)]).flatMap(
      (match): Violation[] => {
        const target = match[1] ?? match[2] ?? "";
        const file = resolveLink(target, path);
        if (file === undefined || known.has(file)) return [];
        const wrong = `The link to ${target} goes to ${file}, which does not exist`;
        const instead = "Point it to a file of the repository, relative to this one, or remove it";
        return [{ file: path, line: lineAt(text, match.index), wrong, instead }];
      },
    );
  });
}
