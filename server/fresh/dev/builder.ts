/**
 * `fresh/dev`: makes what the server serves and the browser loads.
 *
 * @module
 * @see https://fresh.deno.dev/docs/advanced/builder
 */
import { fileURLToPath } from "node:url";
import { getMimeType } from "hono/utils/mime";
import { isRouteFile } from "../routing/paths.ts";
import type { Manifest, StaticFile } from "../snapshot.ts";
import { bundle, endBundling, minifyCss } from "./bundle.ts";
import { hashFiles, hashOf, listFiles, replaceFolder } from "./files.ts";
import { snapshotModule } from "./snapshot_module.ts";

/** Options of a {@linkcode Builder}; folders are relative to the root. */
export interface BuildOptions {
  /** The folder of the project. Default: where the program runs. */
  root?: string;
  /** Default: `_fresh`. */
  outDir?: string;
  /** Default: `static`. */
  staticDir?: string;
  /** Default: `islands`. */
  islandDir?: string;
  /** Default: `routes`. */
  routeDir?: string;
  /** The browsers that the modules are for, as esbuild names them. Default: `es2022`. */
  target?: string | string[];
}

/** What a transformation of a static file is given, and what it gives back. */
export type TransformFn = (args: { path: string; text: string }) => Promise<{ content: string } | undefined>;

type Mode = "development" | "production";

/** Builds the islands and static files of a project into `_fresh/`. */
export class Builder {
  /** The options, with defaults filled in and absolute folders. */
  readonly config: Required<BuildOptions>;
  readonly #transforms: { filter: RegExp; transform: TransformFn }[] = [];

  /** @param options See {@linkcode BuildOptions}. */
  constructor({ root = Deno.cwd(), target = "es2022", ...dirs }: BuildOptions = {}) {
    const folder = (path: string) => path.startsWith("/") ? path : `${root}/${path}`;
    this.config = {
      root,
      target,
      outDir: folder(dirs.outDir ?? "_fresh"),
      staticDir: folder(dirs.staticDir ?? "static"),
      islandDir: folder(dirs.islandDir ?? "islands"),
      routeDir: folder(dirs.routeDir ?? "routes"),
    };
  }

  /** Has static files whose paths match `filter` transformed; what gives nothing leaves a file as it is. */
  onTransformStaticFile({ filter }: { pluginName: string; filter: RegExp }, transform: TransformFn): void {
    this.#transforms.push({ filter, transform });
  }

  /**
   * Builds, and removes what an earlier build left. Files that stay the same are not written again.
   *
   * @throws {Error} If an island cannot be compiled.
   */
  async build({ mode = "production" }: { mode?: Mode } = {}): Promise<void> {
    const { outDir, islandDir, routeDir } = this.config;
    const routes = (await listFiles(routeDir)).filter(isRouteFile);
    const islands = (await listFiles(islandDir)).filter(isRouteFile);
    const { manifest, served } = await this.#make(mode, islands).finally(endBundling);
    const text = new TextEncoder();
    const made = new Map([...served].map(([path, content]) => [`static${path}`, content]));
    made.set("snapshot.js", text.encode(snapshotModule({ outDir, islandDir, routeDir }, routes, islands)));
    made.set("snapshot.d.ts", text.encode("declare const snapshot: any;\nexport default snapshot;\n"));
    made.set("manifest.json", text.encode(JSON.stringify(manifest, null, 2))); // Last: it says that all is there.
    await replaceFolder(outDir, made);
  }

  /** Whether there is no build for production of what the files are now. Not in Fresh. */
  async isStale(): Promise<boolean> {
    try {
      const { inputs, imported, mode }: Manifest = JSON.parse(
        await Deno.readTextFile(`${this.config.outDir}/manifest.json`),
      );
      return mode !== "production" || inputs !== await this.#hashInputs(mode, imported);
    } catch {
      return true;
    }
  }

  /**
   * Builds for development and starts the server, which serves by itself. Run it with `deno run --watch`, which starts
   * it anew after each change; open pages then reload.
   */
  async listen(importServer: () => Promise<unknown>): Promise<void> {
    await this.build({ mode: "development" });
    await importServer();
  }

  async #make(mode: Mode, islands: readonly string[]) {
    const { root, islandDir, target } = this.config;
    const client = (name: string) => fileURLToPath(new URL(`../client/${name}.ts`, import.meta.url));
    const entries = new Map(islands.map((file) => [`islands/${file}`, `${islandDir}/${file}`])).set(
      "boot",
      client("boot"),
    );
    if (mode === "development") entries.set("reload", client("reload"));
    const { modules, files, inputs } = await bundle(root, entries, { minify: mode === "production", target });
    const moduleOf = (entry: string) => modules.get(entry) ?? { url: "", preload: [] };
    const served = new Map([...await this.#staticFiles(mode), ...files]);
    const hash = await this.#hashInputs(mode, inputs);
    const manifest: Manifest = {
      mode,
      buildId: hash,
      inputs: hash,
      imported: inputs,
      boot: moduleOf("boot"),
      ...mode === "development" ? { reload: moduleOf("reload") } : {},
      islands: Object.fromEntries(islands.map((file) => [file, moduleOf(`islands/${file}`)])),
      files: Object.fromEntries(await Promise.all([...served].map(describe))),
    };
    return { manifest, served };
  }

  async #staticFiles(mode: Mode): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
    const { staticDir } = this.config;
    const files = await Promise.all((await listFiles(staticDir)).map(async (file) => {
      const path = `${staticDir}/${file}`;
      const matching = this.#transforms.filter(({ filter }) => filter.test(path));
      const isCss = file.endsWith(".css");
      if (matching.length === 0 && !isCss) return [`/${file}`, await Deno.readFile(path)] as const;
      let text = await Deno.readTextFile(path);
      for (const { transform } of matching) text = (await transform({ path, text }))?.content ?? text;
      if (isCss && mode === "production") text = await minifyCss(text);
      return [`/${file}`, new TextEncoder().encode(text)] as const;
    }));
    return new Map(files);
  }

  async #hashInputs(mode: Mode, imported: readonly string[]): Promise<string> {
    const { root, islandDir, routeDir, staticDir } = this.config;
    const own = fileURLToPath(new URL("..", import.meta.url));
    const folders = [islandDir, routeDir, staticDir, `${root}/components`, own];
    const files = await Promise.all(
      folders.map(async (folder) => (await listFiles(folder)).map((f) => `${folder}/${f}`)),
    );
    const single = ["deno.json", "deno.lock", ...imported].map((file) => `${root}/${file}`);
    return await hashOf(`${mode}\n${await hashFiles([...files.flat().filter(isInput), ...single])}`);
  }
}

function isInput(path: string): boolean {
  return !/[._]test\.[jt]sx?$/.test(path);
}

async function describe([path, content]: [string, Uint8Array<ArrayBuffer>]): Promise<[string, StaticFile]> {
  const type = getMimeType(path) ?? "application/octet-stream";
  return [path, { type, etag: `"${await hashOf(content)}"`, size: content.length }];
}
