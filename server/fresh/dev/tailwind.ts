/**
 * `@fresh/plugin-tailwind`: Tailwind 4 for the style sheets in `static/` that import it.
 *
 * @module
 * @see https://fresh.deno.dev/docs/examples/using-tailwindcss
 */
import { fileURLToPath } from "node:url";
import { compile } from "tailwindcss";
import type { Builder } from "./builder.ts";
import { listFiles } from "./files.ts";

/** Lets a builder fill in the classes that `routes/`, `islands/` and `components/` name. */
export function tailwind(builder: Builder): void {
  const { root, islandDir, routeDir } = builder.config;
  builder.onTransformStaticFile({ pluginName: "tailwind", filter: /\.css$/ }, async ({ path, text }) => {
    if (!/@import\s+["']tailwindcss/.test(text)) return undefined;
    const base = path.slice(0, path.lastIndexOf("/"));
    const { build } = await compile(text, { base, loadStylesheet });
    return { content: build(await candidates([routeDir, islandDir, `${root}/components`])) };
  });
}

async function loadStylesheet(id: string, from: string) {
  const isPackage = /^tailwindcss(?:\/|$)/.test(id);
  const path = isPackage ? fileURLToPath(import.meta.resolve(packageFile(id))) : `${from}/${id}`;
  return { path, base: path.slice(0, path.lastIndexOf("/")), content: await Deno.readTextFile(path) };
}

function packageFile(id: string): string {
  return id === "tailwindcss" ? "tailwindcss/index.css" : id.replace(/(?:\.css)?$/, ".css");
}

/** Whatever in the sources could be the name of a class: Tailwind passes over what is none. */
async function candidates(folders: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const folder of folders) {
    for (const file of await listFiles(folder)) {
      if (!/\.[jt]sx?$/.test(file) || /[._]test\./.test(file)) continue;
      for (const [word] of (await Deno.readTextFile(`${folder}/${file}`)).matchAll(/[^\s"'`<>{};]+/g)) found.add(word);
    }
  }
  return [...found];
}
