/** Doc comments on all that is exported. */

import { z } from "zod";
import { isCode, isTest, type SourceFile, type Violation } from "./source.ts";

const declaration = z.object({
  location: z.object({ filename: z.string(), line: z.number() }),
  declarationKind: z.string(),
  kind: z.string(),
  jsDoc: z.object({ doc: z.string().default(""), tags: z.array(z.unknown()).default([]) }).optional(),
});

/** What `deno doc --json` prints, as far as it matters here. Its lines count from 0. */
export const denoDocSchema = z.object({
  version: z.literal(2),
  nodes: z.record(
    z.string(),
    z.object({ symbols: z.array(z.object({ name: z.string(), declarations: z.array(declaration) })) }),
  ),
});

/** What `deno doc --json` prints; see {@linkcode denoDocSchema}. */
export type DenoDoc = z.output<typeof denoDocSchema>;

/** What a file in `routes/` exports for Fresh: which page it is, its path says. */
const CONVENTIONS: ReadonlySet<string> = new Set(["default", "handler", "handlers", "config"]);

/** The files whose exports need doc comments: all code outside the tests. */
export function documentedFiles(files: readonly SourceFile[]): string[] {
  return files.map(({ path }) => path).filter((path) => isCode(path) && !isTest(path) && !path.startsWith("static/"));
}

/**
 * Checks that every exported symbol has a doc comment where it is declared. Of several declarations of one name, such
 * as overloads or a schema and its type, one is enough.
 *
 * @param root The repository's root as a file URL, ending in `/`.
 */
export function checkDocComments(docs: DenoDoc, root: string): Violation[] {
  return Object.entries(docs.nodes).flatMap(([url, { symbols }]) =>
    symbols.flatMap(({ name, declarations }): Violation[] => {
      const own = declarations.filter(({ location, declarationKind, kind }) =>
        location.filename === url && declarationKind === "export" && kind !== "reference" && kind !== "moduleDoc"
      );
      const [first] = own;
      if (first === undefined || own.some(({ jsDoc }) => jsDoc && (jsDoc.doc || jsDoc.tags.length > 0))) return [];
      const file = decodeURI(url.startsWith(root) ? url.slice(root.length) : url);
      if (file.startsWith("routes/") && CONVENTIONS.has(name)) return [];
      const wrong = `The export ${name} has no doc comment`;
      const instead = "Say above it what it is for, its defaults, and what it throws, or do not export it";
      return [{ file, line: first.location.line + 1, wrong, instead }];
    })
  );
}
