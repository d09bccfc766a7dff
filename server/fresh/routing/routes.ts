import { TrieRouter } from "hono/router/trie-router";
import { HttpError } from "../error.ts";
import type { MaybeLazyMiddleware, Method } from "../types.ts";

/** Middlewares, the last of which answers. */
export type Chain<State> = readonly MaybeLazyMiddleware<State>[];

/** What answers a request. */
export interface Found<State> {
  readonly chain: Chain<State>;
  /** The pattern of the route, or `null` if none matched. */
  readonly route: string | null;
  readonly params: Record<string, string>;
  /** The methods that the path has, where it has not the one that was asked for. */
  readonly allow?: readonly string[];
}

interface Entry<State> {
  readonly kind: "wrap" | "route" | "fallback";
  readonly chain: Chain<State>;
  readonly pattern: string;
  readonly methods: readonly (Method | "ALL")[];
}

/** The middlewares and routes of an app, on Hono's router: a route has the middlewares that were added before it. */
export class Routes<State> {
  readonly #router = new TrieRouter<Entry<State>>();

  /** Adds middlewares for a path and those below it. */
  wrap(path: string, chain: Chain<State>): void {
    this.#add({ kind: "wrap", chain, pattern: `${path === "/" ? "" : path}/*`, methods: [] });
  }

  /** Adds a route. Of two for the same path and method, the first answers. */
  route(methods: readonly (Method | "ALL")[], pattern: string, chain: Chain<State>): void {
    for (const one of expand(pattern)) this.#add({ kind: "route", chain, pattern: one, methods }, pattern);
  }

  /** Adds what is around the error that no route matched. */
  fallback(path: string, chain: Chain<State>): void {
    this.#add({ kind: "fallback", chain, pattern: `${path === "/" ? "" : path}/*`, methods: [] });
  }

  #add(entry: Entry<State>, shown: string = entry.pattern): void {
    this.#router.add("ALL", entry.pattern, { ...entry, pattern: shown });
  }

  /** Finds what answers a request. A slash at the end of the path makes no difference, unless a route says so. */
  find(method: string, pathname: string): Found<State> {
    const exact = this.#entries(pathname);
    const isRoute = ({ entry }: { entry: Entry<State> }) => entry.kind === "route";
    const other = pathname.endsWith("/") ? pathname.slice(0, -1) || "/" : `${pathname}/`;
    const entries = exact.some(isRoute) ? exact : this.#entries(other).some(isRoute) ? this.#entries(other) : exact;

    const answers = (wanted: string) =>
      entries.findIndex(({ entry }) => entry.methods.some((own) => own === wanted || own === "ALL"));
    const own = answers(method);
    const index = own < 0 && method === "HEAD" ? answers("GET") : own;
    const wraps = (end?: number) =>
      entries.slice(0, end).filter(({ entry }) => entry.kind === "wrap").flatMap(({ entry }) => entry.chain);
    const found = entries[index];
    if (found !== undefined) {
      const { entry, params } = found;
      return { chain: [...wraps(index), ...entry.chain], route: entry.pattern, params };
    }
    const fallback = entries.find(({ entry }) => entry.kind === "fallback")?.entry.chain ?? [];
    const refused = (status: 404 | 405) => [...wraps(), ...fallback, () => Promise.reject(new HttpError(status))];
    if (!entries.some(isRoute)) return { chain: refused(404), route: null, params: {} };
    const methods = entries.flatMap(({ entry }) => entry.methods);
    const allow = [...new Set(methods.flatMap((own) => own === "GET" ? [own, "HEAD"] : [own]))];
    const tell = () => new Response(null, { status: 204 });
    const chain = method === "OPTIONS" ? [...wraps(), ...fallback, tell] : refused(405);
    return { chain, route: null, params: {}, allow };
  }

  #entries(pathname: string): { entry: Entry<State>; params: Record<string, string> }[] {
    const [matches, stash] = this.#router.match("ALL", pathname);
    return matches.map(([entry, found]) => {
      const params: Record<string, string> = {};
      for (const [name, value] of Object.entries(found)) {
        params[name] = decode(typeof value === "number" ? stash?.[value] ?? "" : value);
      }
      return { entry, params };
    });
  }
}

/** The patterns that Hono's router has for Fresh's `/:name?` and `/:name*`, which also match nothing at all. */
function expand(pattern: string): string[] {
  const [part, name, kind] = /\/:(\w+)([?*])/.exec(pattern) ?? [];
  if (part === undefined) return [pattern];
  const without = pattern.replace(part, "");
  return [without === "" ? "/" : without, pattern.replace(part, `/:${name}${kind === "*" ? "{.+}" : ""}`)].flatMap(
    expand,
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
