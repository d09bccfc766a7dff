const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether another site's page made the browser send this: browsers say so (Fetch metadata, `Origin`;
 * https://www.w3.org/TR/fetch-metadata/). To follow a link to a page of ours is no harm.
 */
export function isFromOtherSite({ method, headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return false;
  if (site !== null) return !SAFE_METHODS.has(method) || headers.get("sec-fetch-mode") !== "navigate";
  const origin = headers.get("origin");
  if (origin === null || SAFE_METHODS.has(method)) return false;
  const host = headers.get("host") ?? new URL(url).host;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
