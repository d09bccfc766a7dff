import assert from "node:assert/strict";
import { App, staticFiles } from "fresh";
import { testManifest } from "./testing.ts";

const FILES = {
  "/a b.txt": { type: "text/plain", etag: '"e1"', size: 5 },
  "/_fresh/js/x-HASH.js": { type: "text/javascript", etag: '"e2"', size: 3 },
};

async function withFiles(
  run: (fetch: (path: string, init?: RequestInit) => Promise<Response>) => Promise<void>,
  mode?: "development",
) {
  const directory = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${directory}/secret.txt`, "secret");
    await Deno.mkdir(`${directory}/static/_fresh/js`, { recursive: true });
    await Deno.writeTextFile(`${directory}/static/a b.txt`, "hello");
    await Deno.writeTextFile(`${directory}/static/unlisted.txt`, "unlisted");
    await Deno.writeTextFile(`${directory}/static/_fresh/js/x-HASH.js`, "js;");
    const manifest = { ...testManifest(), files: FILES, mode: mode ?? "production" as const };
    const app = new App({ basePath: "/base" }).use(staticFiles()).get("/route", () => new Response("route"))
      .applySnapshot({ manifest, directory: `${directory}/static`, routes: {}, islands: {} });
    const handler = app.handler();
    await run((path, init) => handler(new Request(`http://localhost${path}`, init)));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test("staticFiles serves listed files with their type and an ETag, and asks again at each use", async () => {
  await withFiles(async (fetch) => {
    const response = await fetch("/base/a%20b.txt");
    assert.equal(await response.text(), "hello");
    assert.deepEqual(Object.fromEntries(response.headers), {
      "cache-control": "no-cache",
      "content-length": "5",
      "content-type": "text/plain",
      etag: '"e1"',
    });
    const again = await fetch("/base/a%20b.txt", { headers: { "if-none-match": 'W/"e1"' } });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), "");
    const other = await fetch("/base/a%20b.txt", { headers: { "if-none-match": '"e0"' } });
    assert.equal(await other.text(), "hello");
  });
});

Deno.test("staticFiles lets what names its build be kept for a year, and only that", async () => {
  const cachingOf = async (path: string, mode?: "development") => {
    let caching: string | null = null;
    await withFiles(async (fetch) => {
      const response = await fetch(path);
      await response.body?.cancel();
      caching = response.headers.get("cache-control");
    }, mode);
    return caching;
  };
  const forever = "public, max-age=31536000, immutable";
  assert.equal(await cachingOf("/base/_fresh/js/x-HASH.js"), forever);
  assert.equal(await cachingOf("/base/a%20b.txt?__frsh_c=b1"), forever);
  assert.equal(await cachingOf("/base/a%20b.txt?__frsh_c=old"), "no-cache");
  assert.equal(await cachingOf("/base/_fresh/js/x-HASH.js", "development"), "no-store");
});

Deno.test("staticFiles answers HEAD without a body, and other methods with 405", async () => {
  await withFiles(async (fetch) => {
    const head = await fetch("/base/a%20b.txt", { method: "HEAD" });
    assert.equal(head.headers.get("content-length"), "5");
    assert.equal(await head.text(), "");
    const post = await fetch("/base/a%20b.txt", { method: "POST" });
    assert.equal(`${post.status} ${await post.text()}`, "405 Method Not Allowed");
  });
});

Deno.test("staticFiles finds nothing but listed files, whatever the path", async () => {
  await withFiles(async (fetch) => {
    const paths = [
      "unlisted.txt",
      "%2e%2e/secret.txt",
      "..%2fsecret.txt",
      "..%5csecret.txt",
      "%2fetc/passwd",
      "%00",
      "%E0%A4%A",
    ];
    for (const path of [...paths, "constructor", "__proto__", "toString", "", "_fresh/js/", "%61 b.txt/"]) {
      const response = await fetch(`/base/${path}`);
      assert.equal(`${response.status} ${await response.text()}`, "404 Not Found", path);
    }
    assert.equal((await fetch("/a%20b.txt")).status, 404);
    assert.equal(await (await fetch("/base/route")).text(), "route");
  });
});

Deno.test("staticFiles tells pages in development which run of the server answers, and only there", async () => {
  await withFiles(async (fetch) => assert.equal((await fetch("/base/_fresh/js/alive")).status, 404));
  await withFiles(async (fetch) => {
    const first = await (await fetch("/base/_fresh/js/alive")).text();
    assert.equal(first.length, 36);
    assert.equal(await (await fetch("/base/_fresh/js/alive")).text(), first);
  }, "development");
});
