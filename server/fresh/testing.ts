/**
 * Help for tests of `server/fresh/` and of what is written with it.
 *
 * @module
 */
import { App } from "./app.ts";
import type { Manifest, RouteModule, Snapshot } from "./snapshot.ts";

/** A manifest without files; `islands` names files of islands, whose modules are called as they are. */
export function testManifest(islands: readonly string[] = []): Manifest {
  const module = (name: string) => ({ url: `/_fresh/js/${name}.js`, preload: ["/_fresh/js/chunk.js"] });
  return {
    mode: "production",
    buildId: "b1",
    inputs: "b1",
    imported: [],
    boot: module("boot"),
    islands: Object.fromEntries(islands.map((file) => [file, module(file.replace(/\.tsx$/, ""))])),
    files: {},
  };
}

/** An app over modules in memory, as if they had been built. */
export function testApp<State>(
  routes: Readonly<Record<string, RouteModule>>,
  islands: Snapshot["islands"] = {},
): App<State> {
  const manifest = testManifest(Object.keys(islands));
  return new App<State>().fsRoutes().applySnapshot({ manifest, directory: "", routes, islands });
}

/** Asks an app for a path, and gives status and text, as `200 Hello`. */
export async function ask<State>(app: App<State>, path: string, init: RequestInit = {}): Promise<string> {
  const response = await app.handler()(new Request(`http://localhost${path}`, init));
  return `${response.status} ${await response.text()}`.trimEnd();
}

/** The content of a document's body; the whole text if it is none. */
export function bodyOf(answer: string): string {
  return /<body>(.*)<\/body>/s.exec(answer)?.[1] ?? answer;
}

/** A project on the disk, to be disposed of. */
export class TestSite implements AsyncDisposable {
  private constructor(
    /** Its folder. */
    readonly root: string,
  ) {}

  /** Writes `files` into a new folder, with the configuration of this repository. */
  static async create(files: Readonly<Record<string, string>>): Promise<TestSite> {
    const site = new TestSite(await Deno.realPath(await Deno.makeTempDir({ prefix: "fresh-" })));
    const repository = new URL("../../", import.meta.url);
    for (const file of ["deno.json", "deno.lock"]) {
      await Deno.copyFile(new URL(file, repository), `${site.root}/${file}`);
    }
    for (const [file, text] of Object.entries(files)) await site.write(file, text);
    return site;
  }

  /** Writes a file. JSX in it is Preact's, although the folder is outside the repository. */
  async write(file: string, text: string): Promise<void> {
    const path = `${this.root}/${file}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    const pragma = file.endsWith(".tsx") ? "/** @jsxRuntime automatic @jsxImportSource preact */\n" : "";
    await Deno.writeTextFile(path, pragma + text);
  }

  /** Loads what a builder built here, however often it did so. */
  async load(): Promise<Snapshot> {
    return (await import(`file://${this.root}/_fresh/snapshot.js?${crypto.randomUUID()}`)).default;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.root, { recursive: true });
  }
}
