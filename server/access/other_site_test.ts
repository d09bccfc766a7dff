import assert from "node:assert/strict";
import { isFromOtherSite } from "./other_site.ts";

const sent = (method: string, headers: Record<string, string>) =>
  isFromOtherSite(
    new Request("http://localhost:3200/setup", { method, headers: { host: "localhost:3200", ...headers } }),
  );

Deno.test("isFromOtherSite believes a browser's Fetch metadata", () => {
  for (const site of ["same-origin", "none"]) assert.equal(sent("POST", { "sec-fetch-site": site }), false, site);
  for (const site of ["cross-site", "same-site"]) {
    assert.equal(sent("POST", { "sec-fetch-site": site, "sec-fetch-mode": "navigate" }), true, site);
    assert.equal(sent("GET", { "sec-fetch-site": site, "sec-fetch-mode": "cors" }), true, site);
    assert.equal(sent("GET", { "sec-fetch-site": site, "sec-fetch-mode": "no-cors" }), true, site);
    assert.equal(
      sent("GET", { "sec-fetch-site": site, "sec-fetch-mode": "navigate" }),
      false,
      "a link that was followed",
    );
  }
});

Deno.test("isFromOtherSite looks at the origin where there is no metadata", () => {
  assert.equal(sent("POST", { origin: "http://localhost:3200" }), false);
  for (const origin of ["http://localhost:3000", "https://evil.example", "null"]) {
    assert.equal(sent("POST", { origin }), true, origin);
    assert.equal(sent("GET", { origin }), false, "reading the answer is what the browser forbids");
  }
});

Deno.test("isFromOtherSite lets programs be, which send neither", () => {
  assert.deepEqual(["GET", "POST", "DELETE"].map((method) => sent(method, {})), [false, false, false]);
});
