import type { RouteModule } from "../snapshot.ts";
import type { Middleware, RouteComponent, RouteHandler } from "../types.ts";
import { bySpecificity, isRouteFile, joinPath, patternOf, splitPath } from "./paths.ts";
import type { Routes } from "./routes.ts";
import { methodsOf, type Route, runRoute } from "./run.ts";
import { appWrap, errorWrap, layoutWrap } from "./wraps.ts";

const SPECIAL = ["_app", "_layout", "_error", "_middleware"];

/**
 * Adds the files of `routes/`. Around each route is what wraps in its folder and those above, from the outside in;
 * around a page that is not found is what wraps in `routes/` itself.
 *
 * @throws {TypeError} If a file exports nothing that can be used.
 * @see https://fresh.deno.dev/docs/concepts/file-routing
 */
export function addFileRoutes<State>(
  routes: Routes<State>,
  modules: Readonly<Record<string, RouteModule>>,
  mount: string,
): void {
  const files = Object.entries(modules).filter(([file]) => isRouteFile(file))
    .map(([file, module]) => ({ file, module, ...splitPath(file) }));
  const order = ({ folder, name }: { folder: string; name: string }) =>
    folder.split("/").filter(Boolean).length * SPECIAL.length + SPECIAL.indexOf(name);
  const wraps = files.filter(({ name }) => SPECIAL.includes(name)).sort((a, b) => order(a) - order(b))
    .map(({ file, module, folder, name }) => ({ folder, chain: wrapsOf(file, name, module) }));
  const around = (inner: string) =>
    wraps.filter(({ folder }) => `${inner}/`.startsWith(folder === "/" ? "/" : `${folder}/`)).flatMap(({ chain }) =>
      chain
    );

  const found = files.filter(({ name }) => !name.startsWith("_")).map(({ file, module, folder }) => {
    const pattern = joinPath(mount, module.config?.routeOverride ?? patternOf(file));
    return { pattern, folder, route: routeOf(file, module) };
  });
  for (const { pattern, folder, route } of found.sort((a, b) => bySpecificity(a.pattern, b.pattern))) {
    routes.route(methodsOf(route), pattern, [...around(folder), (ctx) => runRoute(ctx, route, 200)]);
  }
  routes.fallback(mount, around("/"));
}

function wrapsOf<State>(file: string, name: string, module: RouteModule): readonly Middleware<State>[] {
  if (name === "_error") return [errorWrap(routeOf(file, module))];
  if (name === "_middleware") return middlewaresOf(file, module);
  const { default: component, config } = module;
  if (!isPage<State>(component)) throw new TypeError(`Cannot use routes/${file}: it has no default export to show`);
  return [name === "_app" ? appWrap(component) : layoutWrap(component, config)];
}

function middlewaresOf<State>(file: string, { handler, handlers, default: own }: RouteModule) {
  const found: unknown[] = [handler ?? handlers ?? own].flat();
  if (found.every((value) => isMiddleware<State>(value))) return found;
  throw new TypeError(
    `Cannot use routes/${file}: it exports no middleware, which is a function or a list of functions`,
  );
}

function routeOf<State>(file: string, module: RouteModule): Route<State> {
  const component = isPage<State>(module.default) ? module.default : undefined;
  const exported = module.handler ?? module.handlers;
  const handler = isHandler<State>(exported) ? exported : undefined;
  if (handler !== undefined || component !== undefined) return { component, handler, config: module.config };
  throw new TypeError(`Cannot use routes/${file}: it exports neither a page (default) nor a handler`);
}

function isPage<State>(value: unknown): value is RouteComponent<State> {
  return typeof value === "function";
}

function isMiddleware<State>(value: unknown): value is Middleware<State> {
  return typeof value === "function";
}

function isHandler<State>(value: unknown): value is RouteHandler<unknown, State> {
  return typeof value === "function" || typeof value === "object" && value !== null && !Array.isArray(value);
}
