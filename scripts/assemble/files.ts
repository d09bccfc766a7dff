import { z } from "zod";
import { run } from "../cli/run.ts";

const graphSchema = z.object({ modules: z.array(z.object({ specifier: z.string() })) });

/** What the program is made of: its entries, with all that they import. */
export interface ProgramFiles {
  /** Files of the repository, by path from its root. */
  readonly paths: readonly string[];
  /** The npm packages that they import, as `hono@4.13.19`. */
  readonly packages: ReadonlySet<string>;
}

/** What answers for every command of the program, the start of the service too. */
export const ENTRY = "scripts/inlet.ts";

/** What runs: that, and what tells the script `inlet` the store's folder. */
export const ENTRIES: readonly string[] = [ENTRY, "scripts/store_folder.ts"];

/** What is read while it runs, beside the modules: what the build of the dashboard made, set-up steps and examples. */
const READ = [/^_fresh\/static\//, /^connectors\/[^/]+\/README\.md$/, /^connectors\/[^/]+\/fixtures\/[^/]+\.json$/];
const READ_FOLDERS = ["_fresh", "connectors"];

/**
 * Lists the files that the service needs to run, and the packages.
 *
 * @param root The repository, with its dashboard built.
 * @throws {Error} if a module is missing, as where the dashboard is not built
 */
export async function programFiles(root: URL): Promise<ProgramFiles> {
  const graphs = await Promise.all(ENTRIES.map((entry) => graphOf(root, entry)));
  const specifiers = new Set(graphs.flat());
  const modules = [...specifiers].filter((specifier) => specifier.startsWith(root.href))
    .map((specifier) => decodeURIComponent(specifier.slice(root.href.length)));
  if (!modules.includes("_fresh/snapshot.js")) {
    throw new Error("Cannot assemble: the dashboard is not built, run: deno task build");
  }
  const members = new Set(modules.flatMap((path) => /^packages\/[^/]+\//.exec(path) ?? []));
  const read = (await Promise.all(READ_FOLDERS.map((folder) => filesBelow(root, folder)))).flat();
  const paths = [
    ...modules,
    ...read.filter((path) => READ.some((pattern) => pattern.test(path))),
    ...[...members].map((folder) => `${folder}deno.json`),
    "LICENSE",
  ];
  const packages = [...specifiers].flatMap((specifier) => /^npm:\/?((?:@[^/]+\/)?[^/]+)/.exec(specifier)?.[1] ?? []);
  return { paths: [...new Set(paths)].sort(), packages: new Set(packages) };
}

async function graphOf(root: URL, entry: string): Promise<string[]> {
  const info = await run(Deno.execPath(), ["info", "--json", entry], { cwd: root });
  return graphSchema.parse(JSON.parse(info)).modules.map(({ specifier }) => specifier);
}

async function filesBelow(root: URL, folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(new URL(folder, root)));
  const found = entries.map(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? filesBelow(root, path) : [path];
  });
  return (await Promise.all(found)).flat();
}
