import assert from "node:assert/strict";
import { computed, type Signal, signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { App, type Context } from "fresh";
import { asset, Head, IS_BROWSER } from "fresh/runtime";
import { ask, bodyOf, testApp } from "../testing.ts";
import { readState } from "./wire.ts";

function Counter({ count }: { count: Signal<number> }) {
  return <button type="button" onClick={() => count.value++}>{count}</button>;
}

function Nested() {
  return (
    <p>
      <Counter count={signal(7)} />
    </p>
  );
}

function Anything(_: { value?: unknown; children?: ComponentChildren }) {
  return <i>any</i>;
}

const islands = {
  "Counter.tsx": { default: Counter, Nested, NOT_A_COMPONENT: 1 },
  "Anything.tsx": { default: Anything },
};

const app = (page: () => ComponentChildren) => testApp({ "index.tsx": { default: page } }, islands);

function stateOf(html: string) {
  const [, text = ""] = /<script type="application\/json" id="__FRSH_STATE">(.*?)<\/script>/s.exec(html) ?? [];
  return readState(text);
}

/** What an island gets in the browser that was given `value` on the server. */
async function sent(value: unknown): Promise<unknown> {
  return stateOf(await ask(app(() => <Anything value={value} />), "/")).islands[0]?.props["value"];
}

Deno.test("a page without islands has no script", async () => {
  const html = await ask(app(() => <p>text</p>), "/");
  assert.equal(bodyOf(html), "<p>text</p>");
  assert.doesNotMatch(html, /script|modulepreload/);
});

Deno.test("a page with islands marks them, preloads their modules, and runs only a module of its own site", async () => {
  const html = await ask(
    app(() => (
      <main>
        <Counter count={signal(1)} />
      </main>
    )),
    "/",
  );
  assert.match(html, /<main><!--frsh:0--><button type="button"\s*>1<\/button><!--\/frsh--><\/main>/);
  const preloads = ["boot", "chunk", "Counter"].map((name) =>
    `<link rel="modulepreload" href="/_fresh/js/${name}.js">`
  );
  assert.match(html, new RegExp(`${preloads.join("")}</head>`));
  const scripts = [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
  const boot = '<script type="module" src="/_fresh/js/boot.js">';
  assert.deepEqual(scripts, ['<script type="application/json" id="__FRSH_STATE">', boot]);
  assert.deepEqual(stateOf(html).components, [{ url: "/_fresh/js/Counter.js", name: "default" }]);
});

Deno.test("an island inside an island is no island of its own", async () => {
  const html = await ask(app(() => <Nested />), "/");
  assert.deepEqual(html.match(/<!--frsh:/g)?.length, 1);
  assert.deepEqual(stateOf(html).components, [{ url: "/_fresh/js/Counter.js", name: "Nested" }]);
});

Deno.test("a signal that two islands are given is one signal in the browser", async () => {
  const html = await ask(
    app(() => {
      const shared = useSignal(0);
      return (
        <>
          <Counter count={shared} />
          <Anything value={{ deep: [shared] }} />
          <Counter count={signal(0)} />
        </>
      );
    }),
    "/",
  );
  const [first, second, third] = stateOf(html).islands.map(({ props }) => props);
  assert.notEqual(first?.["count"], undefined);
  assert.deepEqual(Object.keys(first ?? {}), ["count"]);
  assert.equal(Reflect.get(Object(second?.["value"]), "deep")[0], first?.["count"]);
  assert.notEqual(third?.["count"], first?.["count"]);
});

Deno.test("an island gets in the browser what it was given on the server", async () => {
  const date = new Date(5);
  const values = [
    undefined,
    null,
    NaN,
    -0,
    12n,
    date,
    new Map([["a", new Set([1])]]),
    /a/gi,
    new URL("https://a.example/"),
  ];
  for (const value of [...values, { a: [undefined, { b: "c" }] }, new Uint8Array([1, 2])]) {
    assert.deepEqual(await sent(value), value);
  }
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const received = await sent(circular);
  assert.equal(Reflect.get(Object(received), "self"), received);
  assert.equal(Reflect.get(Object(await sent(computed(() => 3))), "value"), 3);
});

Deno.test("hostile text in props stays text", async () => {
  for (
    const text of [
      "</script><script>alert(1)</script>",
      "<!--",
      "<!--<script>",
      "]]>",
      "\u2028\u2029",
      "\0",
      "&lt;",
      "--!>",
    ]
  ) {
    const html = await ask(app(() => <Anything value={{ [text]: text }} />), "/");
    assert.deepEqual(stateOf(html).islands[0]?.props["value"], { [text]: text });
    assert.equal(html.match(/<script/g)?.length, 2);
    assert.equal(html.match(/<!--/g)?.length, 2);
    assert.equal(html.match(/<\/script>/g)?.length, 2);
  }
});

Deno.test("an island says which prop cannot be sent to the browser", async () => {
  const show = { handler: (ctx: Context<unknown>) => new Response(String(ctx.error)) };
  const messageOf = async (value: unknown, children?: ComponentChildren) => {
    const page = () => <Anything value={value}>{children}</Anything>;
    return await ask(testApp({ "index.tsx": { default: page }, "_error.ts": show }, islands), "/");
  };
  const start = "200 TypeError: Cannot render the island Anything.tsx: its prop";
  assert.equal(
    await messageOf({ a: [() => {}] }),
    `${start} value.a[0] cannot go to the browser: Cannot stringify a function`,
  );
  assert.match(await messageOf(new App()), /its prop value cannot go to the browser/);
  assert.match(await messageOf(1, <b>x</b>), /its prop children cannot go to the browser: JSX/);
  assert.match(await messageOf([[<b key="1">x</b>]]), /its prop value cannot go to the browser: JSX/);
});

Deno.test("Head adds to the head, and its title replaces that of the app", async () => {
  const html = await ask(
    testApp({
      "_app.tsx": {
        default: ({ Component }: { Component: () => ComponentChildren }) => (
          <html>
            <head>
              <title>App</title>
              <meta name="a" content="b" />
            </head>
            <body>
              <Component />
            </body>
          </html>
        ),
      },
      "index.tsx": {
        default: () => (
          <>
            <Head>
              <title>Page {1}</title>
              <meta name="c" content='"' />
            </Head>text
          </>
        ),
      },
    }),
    "/",
  );
  const head = '<meta name="a" content="b"/><title>Page 1</title><meta name="c" content="&quot;"/>';
  assert.equal(html, `200 <!DOCTYPE html><html><head>${head}</head><body>text</body></html>`);
});

Deno.test("asset names the build for paths of the site, and leaves other URLs alone", () => {
  testApp({}); // Sets the build's id.
  assert.equal(asset("/a.css"), "/a.css?__frsh_c=b1");
  assert.equal(asset("/a.css?x=1#y"), "/a.css?x=1&__frsh_c=b1#y");
  assert.equal(asset(asset("/a.css")), asset("/a.css"));
  for (const url of ["https://a.example/a.css", "//a.example/a.css", "a.css"]) assert.equal(asset(url), url);
  assert.equal(IS_BROWSER, false);
});
