import { HttpError } from "./error.ts";
import { BUILD_PARAM } from "./render/asset.ts";
import { viewOf } from "./render/response.ts";
import type { Middleware } from "./types.ts";

/** Tells client/reload.ts whether the server is still the one that it knows. */
const STARTED = crypto.randomUUID();

/**
 * Serves the files of `static/` and what the build made of islands. Only files that the build has listed are looked
 * for, so that no path leads out of its folder. What has a hash in its name, or comes from `asset()`, is cached for a
 * year, all else is asked for again with its ETag.
 *
 * @throws {HttpError} 405 at methods other than `GET` and `HEAD`.
 * @see https://fresh.deno.dev/docs/concepts/static-files
 */
export function staticFiles<State>(): Middleware<State> {
  return async (ctx) => {
    const { build } = viewOf(ctx);
    const path = decodePath(ctx.url.pathname.slice(ctx.config.basePath.length));
    if (path === "/_fresh/js/alive" && ctx.config.mode === "development") return new Response(STARTED);
    if (build === undefined || !Object.hasOwn(build.manifest.files, path)) return await ctx.next();
    const { manifest, directory } = build;
    const file = manifest.files[path];
    if (file === undefined) return await ctx.next();
    if (ctx.req.method !== "GET" && ctx.req.method !== "HEAD") throw new HttpError(405);

    const isFixed = path.startsWith("/_fresh/") || ctx.url.searchParams.get(BUILD_PARAM) === manifest.buildId;
    const caching = manifest.mode === "development"
      ? "no-store"
      : isFixed
      ? "public, max-age=31536000, immutable"
      : "no-cache";
    const headers = { "content-type": file.type, etag: file.etag, "cache-control": caching };
    if (ctx.req.headers.get("if-none-match")?.includes(file.etag)) return new Response(null, { status: 304, headers });
    const { readable } = await Deno.open(`${directory}${path}`);
    return new Response(readable, { headers: { ...headers, "content-length": String(file.size) } });
  };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
