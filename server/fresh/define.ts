import type { AnyComponent } from "preact";
import type { HandlerByMethod, HandlerFn, Middleware, PageProps, RouteHandler } from "./types.ts";

/**
 * Functions that give back what they are given, with the types of the app filled in.
 *
 * @see https://fresh.deno.dev/docs/advanced/define
 */
export interface Define<State> {
  /** The handlers of a route; what they give to {@linkcode Define.page} is inferred. */
  handlers<Data, Handlers extends RouteHandler<Data, State> = RouteHandler<Data, State>>(handlers: Handlers): Handlers;
  /** A page; `define.page<typeof handler>` knows what the handler gives it. */
  page<
    Handler extends RouteHandler<unknown, State> = never,
    Data = Handler extends HandlerFn<infer D, State> ? D : Handler extends HandlerByMethod<infer D, State> ? D : never,
  >(render: AnyComponent<PageProps<Data, State>>): AnyComponent<PageProps<Data, State>>;
  /** A middleware, or several. */
  middleware<M extends Middleware<State> | Middleware<State>[]>(middleware: M): M;
  /** A layout or the app wrapper. */
  layout(render: AnyComponent<PageProps<unknown, State>>): AnyComponent<PageProps<unknown, State>>;
}

/** Makes the `define` of an app whose requests carry `State`. */
export function createDefine<State>(): Define<State> {
  return {
    handlers: (handlers) => handlers,
    page: (render) => render,
    middleware: (middleware) => middleware,
    layout: (render) => render,
  };
}
