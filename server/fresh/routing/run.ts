import type { RouteConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { renderComponent } from "../render/component.ts";
import { viewOf } from "../render/response.ts";
import type { HandlerFn, Method, RouteComponent, RouteHandler } from "../types.ts";
import type { Chain } from "./routes.ts";

/** A route with a page, a handler or both. */
export interface Route<State> {
  readonly component?: RouteComponent<State> | undefined;
  readonly handler?: RouteHandler<unknown, State> | undefined;
  readonly config?: RouteConfig | undefined;
}

/**
 * Runs middlewares, each of which calls the next by `ctx.next()`.
 *
 * @throws {TypeError} If one gives back no response.
 */
export async function runChain<State>(ctx: Context<State>, chain: Chain<State>, index: number = 0): Promise<Response> {
  const outerNext = ctx.next;
  ctx.next = () => runChain(ctx, chain, index + 1);
  try {
    const result = await chain[index]?.(ctx);
    const response = typeof result === "function" ? await result(ctx) : result;
    if (response instanceof Response) return response;
    throw new TypeError(`Cannot answer ${ctx.url.pathname}: a middleware or handler gave back no response`);
  } catch (error) {
    ctx.error = error;
    throw error;
  } finally {
    ctx.next = outerNext;
  }
}

/** The methods that a route answers: those of its handler, and `GET` if it has a page. */
export function methodsOf<State>({ component, handler }: Route<State>): readonly (Method | "ALL")[] {
  if (typeof handler === "function") return ["ALL"];
  const own = METHODS.filter((method) => handler?.[method] !== undefined);
  return component === undefined || own.includes("GET") ? own : [...own, "GET"];
}

const METHODS = ["HEAD", "GET", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"] as const;

/**
 * Runs the handler of a route and renders its page.
 *
 * @param status The status of a page whose handler names none.
 * @throws {TypeError} If the handler gives data, and there is no page for it.
 */
export async function runRoute<State>(ctx: Context<State>, route: Route<State>, status: number): Promise<Response> {
  const { component, handler, config } = route;
  const { method } = ctx.req;
  const result = await (typeof handler === "function" ? handler : handlerOf(handler ?? {}, method))?.(ctx);
  if (result instanceof Response) return result;
  if (component === undefined) {
    throw new TypeError(`Cannot answer ${method} ${ctx.url.pathname}: its handler gave data, but it has no page`);
  }
  ctx.data = result?.data;
  const view = viewOf(ctx);
  if (config?.skipInheritedLayouts) view.layouts = [];
  if (config?.skipAppWrapper) view.app = undefined;
  const page = await renderComponent(component, ctx);
  if (page instanceof Response) return page;
  return await ctx.render(page, { status: result?.status ?? status, headers: result?.headers ?? {} });
}

type Handlers<State> = Partial<Record<string, HandlerFn<unknown, State>>>;

function handlerOf<State>(handlers: Handlers<State>, method: string): HandlerFn<unknown, State> | undefined {
  return handlers[method] ?? (method === "HEAD" ? handlers["GET"] : undefined);
}
