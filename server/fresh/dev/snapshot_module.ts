import { relative } from "node:path";

/**
 * Writes `_fresh/snapshot.js`, which imports the routes and islands statically: so `import("./_fresh/snapshot.js")` needs
 * no permission to read them, and `deno compile` finds them.
 */
export function snapshotModule(
  { outDir, routeDir, islandDir }: { outDir: string; routeDir: string; islandDir: string },
  routes: readonly string[],
  islands: readonly string[],
): string {
  const imports: string[] = [];
  const specifier = (path: string) => relative(outDir, path).replace(/^(?!\.)/, "./");
  const list = (folder: string, files: readonly string[]) =>
    files.map((file) => {
      const name = `m${imports.length}`;
      imports.push(`import * as ${name} from ${JSON.stringify(specifier(`${folder}/${file}`))};\n`);
      return `    ${JSON.stringify(file)}: ${name},\n`;
    }).join("");
  const lists = `  routes: {\n${list(routeDir, routes)}  },\n  islands: {\n${list(islandDir, islands)}  },\n`;
  return `// @ts-self-types="./snapshot.d.ts"\nimport manifest from "./manifest.json" with { type: "json" };\n` +
    `${imports.join("")}export default {\n  manifest,\n  directory: import.meta.dirname + "/static",\n${lists}};\n`;
}
