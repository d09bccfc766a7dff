/**
 * Checks the rules of the house: prints each violation with what to do instead, and ends with code 1 if there is any.
 *
 * @module
 */

import { z } from "zod";
import { run } from "./cli/run.ts";
import { checkCycles } from "./house/cycles.ts";
import { checkDocComments, denoDocSchema, documentedFiles } from "./house/doc_comments.ts";
import { allImports } from "./house/imports.ts";
import { checkLeftovers } from "./house/leftovers.ts";
import { checkLinks } from "./house/links.ts";
import { checkPlatform, checkShared } from "./house/platform.ts";
import { checkRooms } from "./house/rooms.ts";
import { checkSize } from "./house/size.ts";
import { formatViolation, isCode, type SourceFile, type Violation } from "./house/source.ts";

const ROOT = new URL("../", import.meta.url);

async function listPaths(): Promise<string[]> {
  const listed = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { cwd: ROOT });
  const paths = [...new Set(listed.split("\0").filter((path) => path !== ""))].sort();
  const there = await Promise.all(paths.map((path) => Deno.lstat(new URL(path, ROOT)).then(() => true, () => false)));
  return paths.filter((_, index) => there[index]); // A file that was removed is listed until that is committed.
}

async function readText(paths: readonly string[]): Promise<SourceFile[]> {
  const read = paths.filter((path) => isCode(path) || path.endsWith(".md"));
  return await Promise.all(read.map(async (path) => ({ path, text: await Deno.readTextFile(new URL(path, ROOT)) })));
}

// `fresh` is left out: routes know it by that name only, whether it is ours or the real one.
async function readAliases(): Promise<Record<string, string>> {
  const config = z.object({ imports: z.record(z.string(), z.string()).default({}) })
    .parse(JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT))));
  const local = Object.entries(config.imports).filter(([name, target]) =>
    target.startsWith("./") && !/^fresh(?:\/|$)/.test(name)
  );
  return Object.fromEntries(local);
}

async function checkDocs(files: readonly SourceFile[]): Promise<Violation[]> {
  const documented = documentedFiles(files);
  if (documented.length === 0) return [];
  try {
    const docs = JSON.parse(await run(Deno.execPath(), ["doc", "--quiet", "--json", ...documented], { cwd: ROOT }));
    return checkDocComments(denoDocSchema.parse(docs), ROOT.href);
  } catch (error) {
    const wrong = `The doc comments cannot be checked: ${error instanceof Error ? error.message.trim() : error}`;
    return [{ file: "scripts/house_rules.ts", line: 1, wrong, instead: 'Make "deno check" pass, then try again' }];
  }
}

/** Checks all rules on this repository, and gives the violations by file and line. */
async function checkHouse(): Promise<Violation[]> {
  const paths = await listPaths();
  const files = await readText(paths);
  const imports = allImports(files, await readAliases());
  const violations = [
    ...checkRooms(files, imports),
    ...checkCycles(imports),
    ...checkPlatform(files),
    ...checkShared(files),
    ...checkSize(files),
    ...checkLeftovers(files),
    ...checkLinks(files, paths),
    ...await checkDocs(files),
  ];
  return violations.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}

if (import.meta.main) {
  const violations = await checkHouse();
  const lines = violations.length > 0 ? violations.map(formatViolation) : ["The house is in order."];
  await Deno.stdout.write(new TextEncoder().encode(`${lines.join("\n")}\n`));
  if (violations.length > 0) Deno.exitCode = 1;
}
