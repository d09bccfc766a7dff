import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin, stop, transform } from "esbuild";
import type { BrowserModule } from "../snapshot.ts";
import { packageCache, packageResolver } from "./packages.ts";

/** Where the modules are served, without the base path. */
const URL_FOLDER = "/_fresh/js/";

/** What {@linkcode bundle} made. */
export interface Bundle {
  /** The entries' modules, by the names they were given. */
  readonly modules: ReadonlyMap<string, BrowserModule>;
  /** The contents of all modules by URL path. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** The source files that went in, relative to the root. */
  readonly inputs: readonly string[];
}

/**
 * Bundles modules for the browser: each of `entries` becomes one, and what several of them import becomes shared ones.
 *
 * @param entries Files by name.
 * @throws {Error} If a file cannot be found or compiled.
 */
export async function bundle(
  root: string,
  entries: ReadonlyMap<string, string>,
  options: { readonly minify: boolean; readonly target: string | string[] },
): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    ...options,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(entries),
    outdir: `${root}/js`, // Nothing is written there.
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: "esm",
    entryNames: "[name]-[hash]",
    chunkNames: "chunk-[hash]",
    jsx: "automatic", // The precompiled JSX of the server would be dead in the browser.
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "silent", // What is wrong is in the error.
    plugins: [denoResolution(root)],
  });
  const names = new Map([...entries].map(([name, file]) => [resolve(file), name]));
  return {
    modules: modulesOf(metafile, root, names),
    files: new Map(outputFiles.map(({ path, contents }) => [urlOf(path), contents.slice()])),
    inputs: Object.keys(metafile.inputs).filter((path) => !path.startsWith("..")),
  };
}

/** Ends the process that bundles; without that, this one does not end. */
export async function endBundling(): Promise<void> {
  await stop();
}

/** Minifies CSS. */
export async function minifyCss(css: string): Promise<string> {
  const { code } = await transform(css, { loader: "css", minify: true, logLevel: "silent" });
  return code;
}

function urlOf(path: string): string {
  return URL_FOLDER + path.slice(path.lastIndexOf("/") + 1);
}

function modulesOf(
  { outputs }: Metafile,
  root: string,
  names: ReadonlyMap<string, string>,
): Map<string, BrowserModule> {
  const importsOf = (path: string): string[] =>
    (outputs[path]?.imports ?? []).filter(({ kind }) => kind === "import-statement")
      .flatMap((imported) => [imported.path, ...importsOf(imported.path)]);
  return new Map(
    Object.entries(outputs).flatMap(([path, { entryPoint }]) => {
      const name = entryPoint === undefined ? undefined : names.get(resolve(root, entryPoint));
      if (name === undefined) return [];
      return [[name, { url: urlOf(path), preload: [...new Set(importsOf(path))].map(urlOf) }]];
    }),
  );
}

/** Resolves what is not relative as Deno does: by the import map, and npm packages by the lockfile. */
function denoResolution(root: string): Plugin {
  return {
    name: "deno",
    async setup(build) {
      const resolvePackage = await packageResolver(root);
      build.onResolve({ filter: /^[^./]/ }, async ({ path, kind }) => {
        if (kind === "entry-point") return undefined;
        const mapped = resolveMapped(path);
        const isFile = mapped.startsWith("file:") && !mapped.startsWith(packageCache());
        if (isFile) return { path: fileURLToPath(mapped) };
        return { path: await resolvePackage(path) };
      });
    },
  };
}

function resolveMapped(specifier: string): string {
  try {
    return import.meta.resolve(specifier);
  } catch {
    return specifier; // What only packages import is not in the import map.
  }
}
