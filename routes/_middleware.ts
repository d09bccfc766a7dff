import { HttpError } from "fresh";
import { define } from "./(_shared)/define.ts";

/**
 * Everything comes from here, nothing inline runs, nobody frames a page
 * (https://developer.mozilla.org/docs/Web/HTTP/Guides/CSP). With the referrer policy `no-referrer`, browsers send the forms
 * of a page with `Origin: null`: over plain HTTP, where they send no Fetch metadata, nothing tells those from another
 * site's (https://fetch.spec.whatwg.org/#append-a-request-origin-header).
 */
const SECURITY_HEADERS = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

const protect = define.middleware(async (ctx) => {
  const response = await ctx.next();
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
  return response;
});

/** Whoever is not let in is told why, and sees nothing else. */
const refuse = define.middleware((ctx) => {
  const { refusal, dashboard } = ctx.state;
  if (refusal === undefined) return ctx.next();
  const { status, detail } = dashboard.problem(refusal);
  throw new HttpError(status, detail);
});

export default define.middleware([protect, refuse]);
