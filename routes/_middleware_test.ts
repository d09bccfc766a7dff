import assert from "node:assert/strict";
import { App } from "fresh";
import middlewares from "./_middleware.ts";
import type { State } from "./(_shared)/define.ts";

/** The headers of a page's answer, when `response` is what the page answers with. */
async function protect(response: Response): Promise<Headers> {
  const app = new App<State>().use(...middlewares).get("/", () => response);
  return (await app.handler()(new Request("http://localhost/"))).headers;
}

Deno.test("a page lets nothing inline run, is framed by nobody and kept by no cache", async () => {
  const headers = await protect(new Response("page"));
  assert.equal(
    headers.get("content-security-policy"),
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  );
  assert.equal(headers.get("cache-control"), "no-store");
});

Deno.test("a page of the real Fresh lets the inline script run that starts its islands, and no other", async () => {
  const rendered = Object.assign(new Response("page"), { [Symbol.for("__freshNonce")]: "a1b2" });
  assert.match((await protect(rendered)).get("content-security-policy") ?? "", /; script-src 'self' 'nonce-a1b2'$/);
});
