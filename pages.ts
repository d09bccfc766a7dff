/**
 * The dashboard's pages, made of their build: part of the composition root, beside main.ts.
 *
 * @module
 */
import { App, type Snapshot, staticFiles } from "fresh";
import { PAGES_PATH } from "./fresh.config.ts";
import type { State } from "./routes/(_shared)/define.ts";
import type { Dashboard } from "./server/dashboard.ts";
import { ConfigError } from "./server/errors.ts";

/** The dashboard's pages. */
export interface Pages {
  /** Answers a request for a page. */
  answer(request: Request, info: Deno.ServeHandlerInfo | undefined): Promise<Response>;
  /** Answers with the reason why the request is not let in. */
  refuse(request: Request, info: Deno.ServeHandlerInfo | undefined, reason: unknown): Promise<Response>;
  /** Whether a request is for a page, or from a person who would want one. */
  wants(request: Request): boolean;
  /** Whether a path is a script, a style or an image of the pages: the same for everybody. */
  isPart(pathname: string): boolean;
}

/** What the API owns: a path below it that is not there is answered as the API does, also to a browser. */
const API_PATH =
  /^\/(?:setup|workspaces|audit|connectors|webhooks|events|dead-letters|healthz|readyz|metrics|openapi\.json|asyncapi\.json|schemas)(?:\/|$)/;

/**
 * Makes the dashboard of its build, which `deno task start` sees to.
 *
 * @throws {ConfigError} if there is no build
 */
export async function openPages(dashboard: Dashboard): Promise<Pages> {
  const { default: snapshot }: { default: Snapshot } = await import("./_fresh/snapshot.js").catch((error) => {
    throw new ConfigError(`Cannot start: the dashboard is not built, run: deno task build (${error.message})`);
  });
  const refused = new WeakMap<Request, unknown>();
  const answer = new App<State>()
    .use((ctx) => {
      ctx.state.dashboard = dashboard;
      ctx.state.refusal = refused.get(ctx.req);
      return ctx.next();
    })
    .use(staticFiles())
    .fsRoutes()
    .applySnapshot(snapshot)
    .handler();
  return {
    answer: (request, info) => answer(request, info),
    refuse(request, info, reason) {
      refused.set(request, reason);
      return answer(request, info);
    },
    wants(request) {
      const { pathname } = new URL(request.url);
      const ours = pathname === "/" || pathname.startsWith(PAGES_PATH) ||
        Object.hasOwn(snapshot.manifest.files, pathname);
      const browsed = !API_PATH.test(pathname) && request.headers.get("accept")?.includes("text/html") === true;
      return ours || browsed;
    },
    isPart: (pathname) => Object.hasOwn(snapshot.manifest.files, pathname),
  };
}
