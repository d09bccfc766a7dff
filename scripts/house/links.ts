/** Links between the documents, their headings and the files of the repository. */

import GithubSlugger from "github-slugger";
import { lineAt, type SourceFile, type Violation } from "./source.ts";

const CODE = /^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^ *\2[^\n]*$|(`+)(?!`)[\s\S]*?[^`]\3(?!`)|<!--[\s\S]*?-->/gm;
const INLINE = /\]\(\s*(?:<([^>\n]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+["'][^)]*)?\)/g;
const REFERENCE = /^ {0,3}\[[^\]^]+\]:\s*(?:<([^>\n]*)>|(\S+))/gm;
const HTML = /<(?:a|img)\b[^>]*?\b(?:href|src)="(([^"]*))"/g;
const HEADING = /^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$/gm;

/** Where a link goes: a file or folder of the repository, and the heading in it, if it names one. */
interface Destination {
  readonly file: string;
  readonly anchor: string;
}

function resolveLink(target: string, from: string): Destination | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|$)/i.test(target)) return undefined;
  const { pathname, hash } = new URL(target, new URL(from, "file:///"));
  return { file: decodeURI(pathname).slice(1).replace(/\/$/, ""), anchor: decodeURI(hash).slice(1) };
}

/** The anchors of a document's headings. */
function anchorsOf(text: string): Set<string> {
  const withoutBlocks = text.replaceAll(CODE, (code) => /^`[^\n]*`$/.test(code) ? code : "");
  const slugger = new GithubSlugger();
  const anchors = withoutBlocks.matchAll(HEADING).map(([, heading = ""]) => {
    return slugger.slug(heading.replaceAll(/\]\([^)]*\)/g, ""));
  });
  return new Set(anchors);
}

/**
 * Checks that every relative link in the Markdown files points to a file or folder of the repository, and where it names
 * a heading of a Markdown file, to one that is there.
 *
 * @param paths All files that there are, since links also go to those that hold no text.
 */
export function checkLinks(files: readonly SourceFile[], paths: readonly string[]): Violation[] {
  const known = new Set(["", ...paths]);
  for (const path of paths) {
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) known.add(path.slice(0, at));
  }
  const documents = files.filter(({ path }) => path.endsWith(".md"));
  const headings = new Map(documents.map(({ path, text }) => [path, anchorsOf(text)]));
  return documents.flatMap(({ path, text }) => {
    const prose = text.replaceAll(CODE, (code) => code.replaceAll(/[^\n]/g, " "));
    return [INLINE, REFERENCE, HTML].flatMap((pattern) => [...prose.matchAll(pattern)]).flatMap(
      (match): Violation[] => {
        const target = match[1] ?? match[2] ?? "";
        const to = resolveLink(target, path);
        if (to === undefined) return [];
        const violation = { file: path, line: lineAt(text, match.index) };
        if (!known.has(to.file)) {
          const wrong = `The link to ${target} goes to ${to.file}, which does not exist`;
          const instead = "Point it to a file of the repository, relative to this one, or remove it";
          return [{ ...violation, wrong, instead }];
        }
        if (to.anchor === "" || headings.get(to.file)?.has(to.anchor) !== false) return [];
        const wrong = `The link to ${target} goes to a heading that ${to.file} does not have`;
        const instead = "Point it to a heading that is there: its words in lower case, with hyphens for spaces";
        return [{ ...violation, wrong, instead }];
      },
    );
  });
}
