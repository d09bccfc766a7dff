/**
 * The types that routes are written with; names and shapes are those of Fresh.
 *
 * @module
 * @see https://fresh.deno.dev/docs/advanced/api-reference
 */
import type { AnyComponent } from "preact";
import type { Context } from "./context.ts";

/** An HTTP method that a route can answer. */
export type Method = "HEAD" | "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | "OPTIONS";

/** Wraps the handlers after it, or answers by itself. */
export type Middleware<State> = (ctx: Context<State>) => Response | Promise<Response>;

/** A middleware, or a function that brings one, such as `async () => (await import("./mod.ts")).default`. */
export type MaybeLazyMiddleware<State> = (ctx: Context<State>) => Response | Promise<Response | Middleware<State>>;

/** What a handler gives back for its page to be rendered; made by {@linkcode page}. */
export interface PageResponse<T> {
  data: T;
  headers?: HeadersInit | undefined;
  status?: number | undefined;
}

/**
 * Gives data to the page of a route, from its handler.
 *
 * @see https://fresh.deno.dev/docs/concepts/data-fetching
 */
export function page<T>(data: T, options?: { headers?: HeadersInit; status?: number }): PageResponse<T>;
export function page(): PageResponse<undefined>;
export function page(data?: unknown, options?: { headers?: HeadersInit; status?: number }): PageResponse<unknown> {
  return { data, headers: options?.headers, status: options?.status };
}

/** Answers a request with a response, or with data for the page. */
export interface HandlerFn<Data, State> {
  (ctx: Context<State>): Response | PageResponse<Data> | Promise<Response | PageResponse<Data>>;
}

/** A handler for each method. Without `HEAD`, `GET` answers it; without `GET`, the page alone does. */
export type HandlerByMethod<Data, State> = { [M in Method]?: HandlerFn<Data, State> };

/** The `handler` export of a route: one for all methods, or one for each. */
export type RouteHandler<Data, State> = HandlerFn<Data, State> | HandlerByMethod<Data, State>;

/**
 * What pages, layouts, error pages and the app wrapper are given.
 *
 * @see https://fresh.deno.dev/docs/concepts/data-fetching
 */
export type PageProps<Data = unknown, State = unknown> =
  & Pick<
    Context<State>,
    "config" | "url" | "req" | "params" | "info" | "state" | "isPartial" | "Component" | "error" | "route"
  >
  & { data: Data };

/** A page or layout; `async` functions may also answer with a `Response`. */
export type RouteComponent<State> = AnyComponent<PageProps<never, State>>;
