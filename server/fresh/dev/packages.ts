/** Finding the files of npm packages for the browser, as `deno.lock` pins them. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const lockSchema = z.object({ npm: z.record(z.string(), z.unknown()).default({}) });
const manifestSchema = z.object({
  exports: z.unknown().optional(),
  module: z.string().optional(),
  main: z.string().default("index.js"),
});

/** Gives the file that a specifier such as `preact/hooks` means. */
export type PackageResolver = (specifier: string) => Promise<string>;

/**
 * Makes a resolver over the packages of a lockfile, which lie in Deno's cache.
 *
 * @param root The folder of `deno.lock`.
 */
export async function packageResolver(root: string): Promise<PackageResolver> {
  const lock = lockSchema.parse(JSON.parse(await Deno.readTextFile(`${root}/deno.lock`)));
  const versions = new Map<string, Set<string>>();
  for (const key of Object.keys(lock.npm)) {
    const [, name = "", version = ""] = /^(@?[^@]+)@([^_]+)/.exec(key) ?? [];
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  const cache = fileURLToPath(packageCache());
  return async (specifier) => {
    const [, name = "", path = ""] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier) ?? [];
    const [version, other] = versions.get(name) ?? [];
    if (version === undefined) throw new TypeError(`Cannot bundle "${specifier}": deno.lock has no package ${name}`);
    if (other !== undefined) {
      throw new TypeError(
        `Cannot bundle "${specifier}": deno.lock has ${name} ${version} and ${other}, pages need one`,
      );
    }
    const folder = `${cache}${name}/${version}`;
    const manifest = manifestSchema.parse(JSON.parse(await Deno.readTextFile(`${folder}/package.json`)));
    const file = manifest.exports === undefined
      ? path === "" ? manifest.module ?? manifest.main : path
      : pick(exportOf(manifest.exports, `.${path}`));
    if (file === undefined) {
      throw new TypeError(`Cannot bundle "${specifier}": ${name} has no such module for browsers`);
    }
    return resolve(folder, file.replace(/^\//, ""));
  };
}

/** Where Deno keeps packages, as a URL: Preact is loaded by this program itself, so Deno says where it is. */
export function packageCache(): string {
  const url = import.meta.resolve("preact");
  return url.slice(0, url.lastIndexOf("/preact/") + 1);
}

function exportOf(exports: unknown, path: string): unknown {
  const hasPaths = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith("."));
  return hasPaths ? exports[path] : path === "." ? exports : undefined;
}

/** Goes by the conditions that a browser's bundle has, in the order in which the package lists them. */
function pick(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  if (!isRecord(target)) return undefined;
  for (const [condition, inner] of Object.entries(target)) {
    const found = ["browser", "module", "import", "default"].includes(condition) ? pick(inner) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
