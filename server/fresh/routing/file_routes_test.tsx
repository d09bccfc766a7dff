import assert from "node:assert/strict";
import { type App, createDefine, HttpError, page } from "fresh";
import { ask, bodyOf, testApp } from "../testing.ts";

interface State {
  trace?: string;
}

const define = createDefine<State>();
const note = (name: string) =>
  define.middleware((ctx) => {
    ctx.state.trace = `${ctx.state.trace ?? ""}${name}`;
    return ctx.next();
  });
const show = (text: string) => define.page(() => <>{text}</>);
const fail = (error: unknown) =>
  define.page(() => {
    throw error;
  });
const read = async (app: App<State>, path: string, init?: RequestInit) => bodyOf(await ask(app, path, init));

Deno.test("fsRoutes maps files to paths as Fresh does", async () => {
  const params = define.page((props) => <>{props.route} {JSON.stringify(props.params).replaceAll('"', "'")}</>);
  const app = testApp<State>({
    "index.tsx": { default: show("index") },
    "about.tsx": { default: show("about") },
    "blog/index.tsx": { default: show("blog") },
    "blog/[slug].tsx": { default: params },
    "blog/[slug]/comments.tsx": { default: params },
    "old/[...path].tsx": { default: params },
    "docs/[[version]]/index.tsx": { default: params },
    "(marketing)/prices.tsx": { default: show("prices") },
    "(_components)/hidden.tsx": { default: show("hidden") },
    "about_test.tsx": {},
    "x.tsx": { default: show("x"), config: { routeOverride: "/y/:z" } },
  });
  assert.equal(await read(app, "/"), "index");
  assert.equal(await read(app, "/about"), "about");
  assert.equal(await read(app, "/blog"), "blog");
  assert.equal(await read(app, "/blog/a"), "/blog/:slug {'slug':'a'}");
  assert.equal(await read(app, "/blog/a/comments"), "/blog/:slug/comments {'slug':'a'}");
  assert.equal(await read(app, "/old/a/b"), "/old/:path* {'path':'a/b'}");
  assert.equal(await read(app, "/docs"), "/docs/:version? {}");
  assert.equal(await read(app, "/docs/2"), "/docs/:version? {'version':'2'}");
  assert.equal(await read(app, "/prices"), "prices");
  assert.equal(await read(app, "/y/1"), "x");
  for (const path of ["/hidden", "/about_test", "/x"]) assert.equal(await ask(app, path), "404 Not Found");
});

Deno.test("fsRoutes asks the more exact file first", async () => {
  const app = testApp<State>({
    "[...all].tsx": { default: show("all") },
    "[id].tsx": { default: show("id") },
    "fixed.tsx": { default: show("fixed") },
    "[a]/x.tsx": { default: show("a/x") },
    "fixed/[b].tsx": { default: show("fixed/b") },
  });
  assert.equal(await read(app, "/fixed"), "fixed");
  assert.equal(await read(app, "/else"), "id");
  assert.equal(await read(app, "/fixed/x"), "fixed/b");
  assert.equal(await read(app, "/else/x"), "a/x");
  assert.equal(await read(app, "/1/2/3"), "all");
});

Deno.test("fsRoutes runs the middlewares of the folders from the outside in, lists of them too", async () => {
  const trace = define.handlers((ctx) => new Response(ctx.state.trace ?? "none"));
  const app = testApp<State>({
    "a/_middleware.ts": { handler: [note("3"), note("4")] },
    "_middleware.ts": { default: [note("1"), note("2")] },
    "a/b/_middleware.ts": { handlers: note("5") },
    "(g)/_middleware.ts": { handler: note("g") },
    "index.tsx": { handler: trace },
    "a/index.tsx": { handlers: trace },
    "a/b/c.tsx": { handler: trace },
    "ab.tsx": { handler: trace },
    "(g)/grouped.tsx": { handler: trace },
  });
  assert.equal(await ask(app, "/"), "200 12");
  assert.equal(await ask(app, "/a"), "200 1234");
  assert.equal(await ask(app, "/a/b/c"), "200 12345");
  assert.equal(await ask(app, "/ab"), "200 12");
  assert.equal(await ask(app, "/grouped"), "200 12g");
});

Deno.test("fsRoutes nests layouts in the app wrapper, async ones too, unless a config leaves them out", async () => {
  const wrap = (name: string) =>
    define.layout(({ Component }) => (
      <>
        {name}(<Component />)
      </>
    ));
  const app = testApp<State>({
    "_app.tsx": {
      default: define.page(({ Component, state }) => (
        <html>
          <body>
            app {state.trace}(<Component />)
          </body>
        </html>
      )),
    },
    "_middleware.ts": { handler: note("m") },
    "_layout.tsx": { default: wrap("root") },
    "a/_layout.tsx": {
      default: define.layout(async (ctx) =>
        await Promise.resolve(
          <>
            async(<ctx.Component />)
          </>,
        )
      ),
    },
    "a/b/_layout.tsx": { default: wrap("own"), config: { skipInheritedLayouts: true } },
    "index.tsx": { default: show("index") },
    "a/index.tsx": { default: define.page(async () => await Promise.resolve(<i>a</i>)) },
    "a/b/index.tsx": { default: show("b") },
    "bare.tsx": { default: show("bare"), config: { skipInheritedLayouts: true } },
    "naked.tsx": { default: show("naked"), config: { skipInheritedLayouts: true, skipAppWrapper: true } },
  });
  assert.equal(await read(app, "/"), "app m(root(index))");
  assert.equal(await read(app, "/a"), "app m(root(async(<i>a</i>)))");
  assert.equal(await read(app, "/a/b"), "app m(own(b))");
  assert.equal(await read(app, "/bare"), "app m(bare)");
  assert.equal(await read(app, "/naked"), "naked");
});

Deno.test("fsRoutes gives the handler's data to the page, with status and headers", async () => {
  const handler = define.handlers({
    GET: (ctx) => page({ name: ctx.url.searchParams.get("name") ?? "nobody" }),
    POST: () => page({ name: "new" }, { status: 201, headers: { "x-made": "yes" } }),
    PUT: (ctx) => ctx.redirect("/elsewhere", 303),
  });
  const app = testApp<State>({
    "index.tsx": { handler, default: define.page<typeof handler>(({ data }) => <b>{data.name}</b>) },
  });
  assert.equal(await read(app, "/?name=%3Cx%3E"), "<b>&lt;x></b>");
  const created = await app.handler()(new Request("http://localhost/", { method: "POST" }));
  assert.equal(created.status, 201);
  assert.equal(created.headers.get("x-made"), "yes");
  assert.equal(bodyOf(await created.text()), "<b>new</b>");
  assert.equal(await ask(app, "/", { method: "PUT" }), "303");
  assert.equal(await ask(app, "/", { method: "HEAD" }), "200");
  assert.equal(await ask(app, "/", { method: "DELETE" }), "405 Method Not Allowed");
});

Deno.test("fsRoutes shows a page at GET although its handler has only other methods", async () => {
  const app = testApp<State>({ "a.tsx": { handler: { POST: () => new Response("posted") }, default: show("shown") } });
  assert.equal(await read(app, "/a"), "shown");
  assert.equal(await ask(app, "/a", { method: "POST" }), "200 posted");
});

Deno.test("fsRoutes lets an async page answer with a response", async () => {
  const app = testApp<State>({
    "a.tsx": { default: define.page(async (ctx) => await Promise.resolve(Response.json(ctx.route))) },
  });
  assert.equal(await ask(app, "/a"), '200 "/a"');
});

Deno.test("fsRoutes shows the nearest error page, with the status of the error, inside the layouts around it", async () => {
  const app = testApp<State>({
    "_layout.tsx": {
      default: define.layout(({ Component }) => (
        <main>
          <Component />
        </main>
      )),
    },
    "_error.tsx": { default: define.page(({ error }) => <>root {String(error)}</>) },
    "fail.tsx": { default: fail(new Error("page")) },
    "gone.tsx": { handler: () => Promise.reject(new HttpError(410, "gone")) },
    "in/_middleware.ts": {
      handler: define.middleware((ctx) => ctx.url.search === "?m" ? Promise.reject(new Error("middle")) : ctx.next()),
    },
    "in/_error.tsx": { default: define.page(({ error }) => <>inner {String(error)}</>) },
    "in/fail.tsx": { default: fail(new HttpError(403)) },
    "in/deep/_layout.tsx": {
      default: define.layout(({ Component }) => (
        <i>
          <Component />
        </i>
      )),
    },
    "in/deep/fail.tsx": { default: fail(new Error("deep")) },
    "twice/_error.tsx": { handler: () => Promise.reject(new HttpError(501, "again")) },
    "twice/index.tsx": { default: fail(new Error("first")) },
  });
  const statusAndBody = async (path: string) => {
    const answer = await ask(app, path);
    return `${answer.slice(0, 3)} ${bodyOf(answer)}`;
  };
  assert.equal(await statusAndBody("/fail"), "500 <main>root Error: page</main>");
  assert.equal(await statusAndBody("/gone"), "410 <main>root HttpError: gone</main>");
  assert.equal(await statusAndBody("/missing"), "404 <main>root HttpError</main>");
  assert.equal(await statusAndBody("/in/missing"), "404 <main>root HttpError</main>");
  assert.equal(await statusAndBody("/in/fail"), "403 <main>inner HttpError</main>");
  assert.equal(await statusAndBody("/in/fail?m"), "500 <main>inner Error: middle</main>");
  assert.equal(await statusAndBody("/in/deep/fail"), "500 <main>inner Error: deep</main>");
  assert.equal(await statusAndBody("/twice"), "501 <main>root HttpError: again</main>");
});

Deno.test("fsRoutes says which file cannot be used, and why", () => {
  assert.throws(() => testApp<State>({ "a.tsx": {} }).handler(), /routes\/a\.tsx: it exports neither a page/);
  assert.throws(
    () => testApp<State>({ "_layout.tsx": {} }).handler(),
    /routes\/_layout\.tsx: it has no default export/,
  );
  assert.throws(
    () => testApp<State>({ "_middleware.ts": { handler: {} } }).handler(),
    /_middleware\.ts: it exports no middleware/,
  );
  assert.throws(
    () => testApp<State>({ "[a]-[b].tsx": { default: show("") } }).handler(),
    /"\[a\]-\[b\]" is no name of a route/,
  );
});
