/** Which files a file imports. */

import { mask } from "./mask.ts";
import { isCode, lineAt, type SourceFile } from "./source.ts";

/** An import of one file of the repository by another. */
export interface Import {
  /** The file that imports. */
  readonly from: string;
  /** The line of the import, from 1. */
  readonly line: number;
  /** The file that is imported. */
  readonly to: string;
  /** Whether nothing of it remains when the program runs: `import type` or `export type … from`. */
  readonly typeOnly: boolean;
}

// `import { type A } from` is not type-only: with verbatimModuleSyntax it still loads the module.
const STATIC =
  /^(?:import|export)\s+(type\s+)?(?:[\w$]+\s*,?\s*)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})?\s*from\s*(["'])( *)\2/gm;
const SIDE_EFFECT = /^import()\s*(["'])( *)\2/gm;
const DYNAMIC = /(\btypeof\s+)?\bimport\s*\(\s*(["'`])( *)\2/g;
const MEMBER_TYPE = /^\s*,?\s*\)\s*\.\s*[A-Z]/;

const PACKAGE = /^@inlet\/([^/]+)(?:\/(.+))?$/;

function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/**
 * Resolves a specifier to a file of the repository: a relative one, `@inlet/<package>`, or one that the import map's
 * `aliases` (such as `"@/": "./"`) point into the repository. Gives nothing for what comes from elsewhere.
 */
export function resolveImport(
  specifier: string,
  from: string,
  aliases: Readonly<Record<string, string>> = {},
): string | undefined {
  if (/^\.\.?\//.test(specifier)) return normalize(`${from.slice(0, from.lastIndexOf("/") + 1)}${specifier}`);
  const [, name, file] = PACKAGE.exec(specifier) ?? [];
  if (name) return `packages/${name}/${file ? `${file.replace(/\.ts$/, "")}.ts` : "mod.ts"}`;
  for (const [alias, target] of Object.entries(aliases)) {
    if (specifier === alias) return normalize(target);
    if (alias.endsWith("/") && specifier.startsWith(alias)) return normalize(target + specifier.slice(alias.length));
  }
  return undefined;
}

/** Lists what one file imports of the repository, in the order of the kinds static, for its effect, dynamic. */
export function importsOf({ path, text }: SourceFile, aliases: Readonly<Record<string, string>> = {}): Import[] {
  const { code } = mask(text);
  const found: Import[] = [];
  for (const pattern of [STATIC, SIDE_EFFECT, DYNAMIC]) {
    for (const match of code.matchAll(pattern)) {
      const end = match.index + match[0].length - 1;
      const specifier = text.slice(end - (match[3]?.length ?? 0), end);
      const to = resolveImport(specifier, path, aliases);
      if (to === undefined) continue;
      const isType = pattern === DYNAMIC && MEMBER_TYPE.test(code.slice(end + 1));
      found.push({ from: path, line: lineAt(text, match.index), to, typeOnly: Boolean(match[1]) || isType });
    }
  }
  return found;
}

/** Lists all imports among files. */
export function allImports(files: readonly SourceFile[], aliases: Readonly<Record<string, string>> = {}): Import[] {
  return files.filter(({ path }) => isCode(path)).flatMap((file) => importsOf(file, aliases));
}
