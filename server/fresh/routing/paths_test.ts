import assert from "node:assert/strict";
import { bySpecificity, joinPath, patternOf } from "./paths.ts";

Deno.test("patternOf gives the pattern that Fresh documents for each kind of file name", () => {
  const patterns = {
    "index.ts": "/",
    "about.ts": "/about",
    "blog/index.ts": "/blog",
    "blog/[slug].ts": "/blog/:slug",
    "blog/[slug]/comments.ts": "/blog/:slug/comments",
    "old/[...path].ts": "/old/:path*",
    "docs/[[version]]/index.ts": "/docs/:version?",
    "(a)/(b)/c.tsx": "/c",
    "feed.xml.ts": "/feed.xml",
  };
  for (const [file, pattern] of Object.entries(patterns)) assert.equal(patternOf(file), pattern);
});

Deno.test("joinPath joins without doubling slashes", () => {
  assert.equal(joinPath("", "/"), "/");
  assert.equal(joinPath("/", "/a"), "/a");
  assert.equal(joinPath("/a/", "b"), "/a/b");
  assert.equal(joinPath("/a", "/"), "/a");
  assert.equal(joinPath("/a", ""), "/a");
});

Deno.test("bySpecificity puts fixed names before params, and those before what is optional or matches all", () => {
  const sorted = ["/a", "/a/b", "/a/:id", "/a/:id/c", "/a/:v?", "/a/:all*", "/:id", "/:all*"];
  assert.deepEqual(sorted.toReversed().sort(bySpecificity), sorted);
});
