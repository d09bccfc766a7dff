/**
 * Runs every check of the repository, one after another, and stops at the first that fails: `deno task ok`.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { runCommand } from "./cli/command.ts";

const HELP = `Runs every check: format, lint, types, the rules of the house. Ends with 1 at the first that fails.

  deno task ok

  deno fmt   mends the format`;

const ROOT = new URL("../", import.meta.url);

/** The names in a folder, from the root, that end so. */
async function pathsIn(folder: string, end: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(new URL(folder, ROOT)));
  return entries.map(({ name }) => `${folder}${name}${end}`);
}

/** The documents whose code is checked. */
async function documents(): Promise<string[]> {
  const docs = (await pathsIn("docs/", "")).filter((path) => path.endsWith(".md"));
  return ["README.md", ...docs, ...await pathsIn("packages/", "/README.md")];
}

/** What is run, one after another: the arguments of `deno`. */
async function checks(): Promise<string[][]> {
  return [
    ["fmt", "--check"],
    ["lint"],
    ["check"],
    ["check", "--doc-only", "packages", ...await documents()],
    ["run", "--allow-read", "--allow-run", "scripts/house_rules.ts"],
  ];
}

await runCommand({ task: "ok", help: HELP }, async (args) => {
  parseArgs({ args, options: {} });
  for (const args of await checks()) {
    const { success } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).spawn().status;
    if (!success) return 1;
  }
  return 0;
});
