import type { ComponentChildren, FunctionComponent } from "preact";
import type { LayoutConfig, ResolvedFreshConfig } from "./config.ts";
import { renderResponse } from "./render/response.ts";
import { emptyState } from "./unchecked.ts";

/**
 * One request, as all its middlewares and its handler see it.
 *
 * @see https://fresh.deno.dev/docs/concepts/context
 */
export class Context<State> {
  /** The URL of the request. */
  readonly url: URL;
  /** Empty at first; middlewares fill it for whoever comes after them. */
  readonly state: State = emptyState();
  /** Always `false`: there are no partials here. */
  readonly isPartial: boolean = false;
  /** What was thrown, on error pages; else `null`. */
  error: unknown = null;
  /** What the handler gave to the page. */
  data: unknown = undefined;
  /** In layouts and the app wrapper, what they wrap. */
  Component: FunctionComponent = () => null;
  /** Calls the next middleware or the handler. */
  next: () => Promise<Response> = () => Promise.reject(new TypeError("Cannot call next(): nothing comes next"));

  /**
   * Made by the app, once for each request.
   *
   * @param req The request itself.
   * @param info Who is connected.
   * @param config The options of the app.
   * @param route The pattern of the matched route, `null` if none matched.
   * @param params What the dynamic parts of the pattern matched, decoded.
   */
  constructor(
    readonly req: Request,
    readonly info: Deno.ServeHandlerInfo,
    readonly config: ResolvedFreshConfig,
    readonly route: string | null,
    readonly params: Record<string, string>,
  ) {
    this.url = new URL(req.url);
  }

  /** Renders JSX inside the layouts and the app wrapper that apply here. */
  render(content: ComponentChildren, init: ResponseInit = {}, config: LayoutConfig = {}): Promise<Response> {
    return renderResponse(this, content, init, config);
  }

  /** Sends the browser elsewhere. `//host` is read as a path, so that what a user typed cannot lead to another site. */
  redirect(pathOrUrl: string, status: number = 302): Response {
    // Browsers drop these characters before they look for the host.
    const [, path = "", rest = ""] = /^([/\\][^?#]*)?(.*)$/.exec(pathOrUrl.replaceAll(/[\t\r\n]/g, "")) ?? [];
    const location = path.replaceAll(/[/\\]{2,}/g, "/") + rest;
    return new Response(null, { status, headers: { location } });
  }
}
