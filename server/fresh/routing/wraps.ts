/** Layouts, the app wrapper and error pages as middlewares: each prepares for, or saves, what comes after it. */
import { getLogger } from "@logtape/logtape";
import type { LayoutConfig } from "../config.ts";
import { HttpError, statusOf } from "../error.ts";
import { renderComponent } from "../render/component.ts";
import { viewOf } from "../render/response.ts";
import type { Middleware, RouteComponent } from "../types.ts";
import { type Route, runRoute } from "./run.ts";

/** Puts the app wrapper around the pages after it. */
export function appWrap<State>(component: RouteComponent<State>): Middleware<State> {
  return (ctx) => {
    viewOf(ctx).app = (inner) => renderComponent(component, ctx, inner);
    return ctx.next();
  };
}

/** Puts a layout around the pages after it. */
export function layoutWrap<State>(component: RouteComponent<State>, config: LayoutConfig = {}): Middleware<State> {
  return (ctx) => {
    const view = viewOf(ctx);
    if (config.skipAppWrapper) view.app = undefined;
    const outer = config.skipInheritedLayouts ? [] : view.layouts;
    view.layouts = [...outer, (inner) => renderComponent(component, ctx, inner)];
    return ctx.next();
  };
}

/** Answers in place of what comes after it, if that throws. */
export function errorWrap<State>(target: Route<State> | Middleware<State>): Middleware<State> {
  return async (ctx) => {
    const { app, layouts } = viewOf(ctx);
    try {
      return await ctx.next();
    } catch (error) {
      logUnexpected(ctx.req, error);
      Object.assign(viewOf(ctx), { app, layouts }); // Those of the folders inside are not around this page.
      return typeof target === "function" ? await target(ctx) : await runRoute(ctx, target, statusOf(error));
    }
  };
}

/** Logs what was not thrown for the user to see. */
export function logUnexpected({ method, url }: Request, error: unknown): void {
  if (error instanceof HttpError) return;
  const { pathname } = new URL(url);
  getLogger(["inlet", "fresh"]).error("cannot answer {method} {pathname}: {error}", { method, pathname, error });
}
