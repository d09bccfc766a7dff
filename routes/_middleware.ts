import { HttpError } from "fresh";
import { define } from "./(_shared)/define.ts";

/**
 * Everything comes from here, nothing inline runs, nobody frames a page
 * (https://developer.mozilla.org/docs/Web/HTTP/Guides/CSP).
 */
const SECURITY_HEADERS = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const protect = define.middleware(async (ctx) => {
  const response = await ctx.next();
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
  return response;
});

/** A form that another site made is not ours: browsers say where a request comes from (Fetch metadata, `Origin`). */
const refuseOtherSites = define.middleware((ctx) => {
  const { method, headers } = ctx.req;
  if (method === "GET" || method === "HEAD") return ctx.next();
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  const foreign = site === null
    ? origin !== null && origin !== ctx.url.origin && new URL(origin).host !== headers.get("host")
    : site !== "same-origin" && site !== "none";
  if (foreign) throw new HttpError(403, "The form was not sent from this dashboard: open the page here and try again");
  return ctx.next();
});

export default define.middleware([protect, refuseOtherSites]);
