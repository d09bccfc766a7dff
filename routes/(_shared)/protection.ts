/**
 * Everything comes from here, nothing inline runs, nobody frames a page
 * (https://developer.mozilla.org/docs/Web/HTTP/Guides/CSP).
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

/** Where the real Fresh leaves the nonce of the inline script that starts a page's islands: its own `csp()` reads it there. */
const NONCE = Symbol.for("__freshNonce");

/**
 * The headers that every page has, whatever became of the request; no cache keeps what they are on.
 *
 * @param rendered The page's answer, where it may have islands.
 */
export function protection(rendered?: Response): Record<string, string> {
  const nonce: unknown = rendered === undefined ? undefined : Reflect.get(rendered, NONCE);
  const scripts = typeof nonce === "string" && nonce !== "" ? `; script-src 'self' 'nonce-${nonce}'` : "";
  return {
    "cache-control": "no-store",
    "content-security-policy": CONTENT_SECURITY_POLICY + scripts,
    // With `no-referrer`, browsers send the forms of a page with `Origin: null`: over plain HTTP, where they send no Fetch
    // metadata, nothing tells those from another site's (https://fetch.spec.whatwg.org/#append-a-request-origin-header).
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  };
}
