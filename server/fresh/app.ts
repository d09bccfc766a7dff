import { STATUS_CODES } from "node:http";
import type { FreshConfig, ResolvedFreshConfig } from "./config.ts";
import { Context } from "./context.ts";
import { HttpError, statusOf } from "./error.ts";
import { installIslands } from "./render/islands.ts";
import { setBuildId } from "./render/asset.ts";
import { views } from "./render/response.ts";
import { addFileRoutes } from "./routing/file_routes.ts";
import { joinPath } from "./routing/paths.ts";
import { Routes } from "./routing/routes.ts";
import { runChain } from "./routing/run.ts";
import { errorWrap, logUnexpected } from "./routing/wraps.ts";
import type { Snapshot } from "./snapshot.ts";
import type { MaybeLazyMiddleware, Method, Middleware } from "./types.ts";

const UNKNOWN_CLIENT: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 0 },
  completed: Promise.resolve(),
};

/**
 * Answers requests with middlewares, routes and files. What is added applies in the order it is added in: a middleware
 * to the routes after it.
 *
 * @see https://fresh.deno.dev/docs/concepts/app
 */
export class App<State> {
  readonly #basePath: string;
  readonly #steps: ((routes: Routes<State>) => void)[] = [];
  #snapshot: Snapshot | undefined;

  /** @param config See {@linkcode FreshConfig}. */
  constructor(config: FreshConfig = {}) {
    this.#basePath = config.basePath?.replace(/\/$/, "") ?? "";
  }

  /** Adds middlewares for all paths, or for a path and those below it. */
  use(...middlewares: MaybeLazyMiddleware<State>[]): this;
  use(path: string, ...middlewares: MaybeLazyMiddleware<State>[]): this;
  use(first: string | MaybeLazyMiddleware<State>, ...rest: MaybeLazyMiddleware<State>[]): this {
    return typeof first === "string" ? this.#wrap(first, rest) : this.#wrap("*", [first, ...rest]);
  }

  /** Answers `GET`, and `HEAD` unless that is answered otherwise. */
  get(path: string, ...handlers: MaybeLazyMiddleware<State>[]): this {
    return this.#route("GET", path, handlers);
  }

  /** Answers `POST`. */
  post(path: string, ...handlers: MaybeLazyMiddleware<State>[]): this {
    return this.#route("POST", path, handlers);
  }

  /** Answers `PUT`. */
  put(path: string, ...handlers: MaybeLazyMiddleware<State>[]): this {
    return this.#route("PUT", path, handlers);
  }

  /** Answers `PATCH`. */
  patch(path: string, ...handlers: MaybeLazyMiddleware<State>[]): this {
    return this.#route("PATCH", path, handlers);
  }

  /** Answers `DELETE`. */
  delete(path: string, ...handlers: MaybeLazyMiddleware<State>[]): this {
    return this.#route("DELETE", path, handlers);
  }

  /** Answers `HEAD`. */
  head(path: string, ...handlers: MaybeLazyMiddleware<State>[]): this {
    return this.#route("HEAD", path, handlers);
  }

  /** Answers all methods. */
  all(path: string, ...handlers: MaybeLazyMiddleware<State>[]): this {
    return this.#route("ALL", path, handlers);
  }

  /** Answers when what is at a path and below it throws. */
  onError(path: string, handler: Middleware<State>): this {
    return this.#wrap(path, [errorWrap(handler)]);
  }

  /** Adds the files of `routes/`, below `pattern` if it is given. They come with {@linkcode App.applySnapshot}. */
  fsRoutes(pattern: string = "*"): this {
    this.#steps.push((routes) => {
      if (this.#snapshot === undefined) {
        throw new TypeError("Cannot use fsRoutes(): no build was applied, see docs/fresh.md");
      }
      addFileRoutes(routes, this.#snapshot.routes, joinPath(this.#basePath, pattern.replace(/\*$/, "")));
    });
    return this;
  }

  /** Takes a build: routes, islands and served files. Not in Fresh, whose own `_fresh/server.js` does it. */
  applySnapshot(snapshot: Snapshot): this {
    this.#snapshot = snapshot;
    setBuildId(snapshot.manifest.buildId);
    installIslands(snapshot);
    return this;
  }

  /**
   * Makes the function that answers requests. It does not throw: what goes wrong is answered.
   *
   * @throws {TypeError} If {@linkcode App.fsRoutes} has no build, or a route of it cannot be used.
   */
  handler(): (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> {
    const routes = new Routes<State>();
    for (const step of this.#steps) step(routes);
    const build = this.#snapshot;
    const config: ResolvedFreshConfig = { basePath: this.#basePath, mode: build?.manifest.mode ?? "production" };
    return async (req, info = UNKNOWN_CLIENT) => {
      const { chain, route, params, allow } = routes.find(req.method, new URL(req.url).pathname);
      const ctx = new Context<State>(req, info, config, route, params);
      views.set(ctx, { app: undefined, layouts: [], build });
      const response = await runChain(ctx, chain).catch((error) => answerError(req, error));
      if (allow !== undefined) response.headers.set("allow", allow.join(", ")); // RFC 9110, section 15.5.6
      if (req.method !== "HEAD" || response.body === null) return response;
      await response.body.cancel();
      return new Response(null, response);
    };
  }

  #wrap(path: string, middlewares: MaybeLazyMiddleware<State>[]): this {
    const place = joinPath(this.#basePath, path.replace(/\*$/, ""));
    this.#steps.push((routes) => routes.wrap(place, middlewares));
    return this;
  }

  #route(method: Method | "ALL", path: string, handlers: MaybeLazyMiddleware<State>[]): this {
    const pattern = joinPath(this.#basePath, path);
    this.#steps.push((routes) => routes.route([method], pattern, handlers));
    return this;
  }
}

function answerError(request: Request, error: unknown): Response {
  logUnexpected(request, error);
  const status = statusOf(error);
  const message = error instanceof HttpError ? error.message || STATUS_CODES[status] : "Internal server error";
  return new Response(message, { status });
}
