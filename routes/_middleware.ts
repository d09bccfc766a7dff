import { HttpError } from "fresh";
import { define } from "./(_shared)/define.ts";
import { statusOrThrow } from "./(_shared)/form.ts";

/**
 * With the referrer policy `no-referrer`, browsers send the forms of a page with `Origin: null`: over plain HTTP, where they
 * send no Fetch metadata, nothing tells those from another site's
 * (https://fetch.spec.whatwg.org/#append-a-request-origin-header).
 */
const SECURITY_HEADERS = { "referrer-policy": "same-origin", "x-content-type-options": "nosniff" };

/**
 * Everything comes from here, nothing inline runs, nobody frames a page
 * (https://developer.mozilla.org/docs/Web/HTTP/Guides/CSP).
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

/** Where the real Fresh leaves the nonce of the inline script that starts a page's islands: its own `csp()` reads it there. */
const NONCE = Symbol.for("__freshNonce");

function policyFor(response: Response): string {
  const nonce: unknown = Reflect.get(response, NONCE);
  return typeof nonce === "string" && nonce !== ""
    ? `${CONTENT_SECURITY_POLICY}; script-src 'self' 'nonce-${nonce}'`
    : CONTENT_SECURITY_POLICY;
}

const protect = define.middleware(async (ctx) => {
  const response = await ctx.next();
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
  response.headers.set("content-security-policy", policyFor(response));
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
  return response;
});

/** Whoever is not let in is told why, and sees nothing else. */
const refuse = define.middleware((ctx) => {
  const { refusal, dashboard } = ctx.state;
  if (refusal === undefined) return ctx.next();
  const problem = dashboard.problem(refusal);
  throw new HttpError(statusOrThrow(problem, refusal), problem.detail);
});

export default define.middleware([protect, refuse]);
