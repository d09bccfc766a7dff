/** The names of files in `routes/`, and what they say. */

/**
 * The pattern of a route's file for the router, such as `/blog/:slug` for `blog/[slug].tsx`.
 *
 * @throws {SyntaxError} If a name is neither fixed nor `[name]`, `[[name]]` or `[...name]` as a whole.
 * @see https://fresh.deno.dev/docs/concepts/file-routing
 */
export function patternOf(file: string): string {
  const names = file.replace(/\.[^./]+$/, "").split("/").filter((name) => !/^\(.*\)$/.test(name));
  if (names.at(-1) === "index") names.pop();
  return `/${names.map((name) => partOf(name, file)).join("/")}`;
}

function partOf(name: string, file: string): string {
  const [, dots, one, optional] = /^\[(\.\.\.)?(\w+)\]$|^\[\[(\w+)\]\]$/.exec(name) ?? [];
  if (one !== undefined) return dots === undefined ? `:${one}` : `:${one}*`;
  if (optional !== undefined) return `:${optional}?`;
  if (/[[\]:*?{}]/.test(name)) throw new SyntaxError(`Cannot use routes/${file}: "${name}" is no name of a route`);
  return name;
}

/** Whether a file of `routes/` is meant: a module, not a test, not in a `(_folder)`. */
export function isRouteFile(file: string): boolean {
  return /\.[jt]sx?$/.test(file) && !/[._]test\.[jt]sx?$/.test(file) && !/(?:^|\/)\(_[^/]*\//.test(file);
}

/** The folder of a file, such as `/blog` or `/`, and its name without the ending. */
export function splitPath(file: string): { folder: string; name: string } {
  const at = file.lastIndexOf("/");
  return { folder: `/${file.slice(0, Math.max(at, 0))}`, name: file.slice(at + 1).replace(/\.[^.]+$/, "") };
}

/** Joins a path to what it is mounted at; `*` there stands for everything. */
export function joinPath(base: string, path: string): string {
  const joined = `${base.replace(/\/?\*?$/, "")}/${path.replace(/^\//, "")}`;
  return joined.length > 1 ? joined.replace(/\/$/, "") : joined;
}

/** Orders patterns from the fixed to the dynamic, so that the more exact one is asked first. */
export function bySpecificity(a: string, b: string): number {
  const [left, right] = [specificity(a), specificity(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function specificity(pattern: string): string {
  const rank = (part: string) => part.endsWith("*") ? 3 : part.endsWith("?") ? 2 : part.startsWith(":") ? 1 : 0;
  return pattern.split("/").map((part) => `${rank(part)}${part}`).join("/");
}
