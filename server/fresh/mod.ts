/**
 * `fresh`: the part of Fresh 2.3's API that the dashboard uses, see `docs/fresh.md`.
 *
 * @module
 * @see https://fresh.deno.dev/docs/advanced/api-reference
 */
export { App } from "./app.ts";
export { type Context, type Context as FreshContext } from "./context.ts";
export { createDefine, type Define } from "./define.ts";
export { HttpError } from "./error.ts";
export type { Manifest, RouteModule, Snapshot } from "./snapshot.ts";
export { staticFiles } from "./static_files.ts";
export { page } from "./types.ts";
export type { FreshConfig, LayoutConfig, ResolvedFreshConfig, RouteConfig } from "./config.ts";
export type {
  HandlerByMethod,
  HandlerFn,
  MaybeLazyMiddleware,
  Method,
  Middleware,
  PageProps,
  PageResponse,
  RouteHandler,
} from "./types.ts";
