/** The query parameter that says which build an asset is of. */
export const BUILD_PARAM = "__frsh_c";

let current = "";

/** Says which build's assets {@linkcode asset} is to name. */
export function setBuildId(buildId: string): void {
  current = buildId;
}

/**
 * The path of a static file with the build's id, so that it is cached for long and still fetched anew after a build.
 * What is no path of this site stays as it is.
 *
 * @see https://fresh.deno.dev/docs/concepts/static-files
 */
export function asset(path: string): string {
  if (current === "" || !/^\/(?!\/)/.test(path) || path.includes(`${BUILD_PARAM}=`)) return path;
  const [, before = "", hash = ""] = /^([^#]*)(.*)$/.exec(path) ?? [];
  return `${before}${before.includes("?") ? "&" : "?"}${BUILD_PARAM}=${current}${hash}`;
}
