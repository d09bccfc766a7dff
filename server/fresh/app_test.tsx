import assert from "node:assert/strict";
import { App, HttpError, type Middleware } from "fresh";
import { ask } from "./testing.ts";

const say = (text: string) => () => new Response(text);

/** Notes in the state which middlewares have run. */
const note = (name: string): Middleware<{ trace?: string }> => (ctx) => {
  ctx.state.trace = `${ctx.state.trace ?? ""}${name}`;
  return ctx.next();
};

const showTrace: Middleware<{ trace?: string }> = (ctx) => new Response(ctx.state.trace ?? "none");

Deno.test("App answers each method with its own handler, and others with 405", async () => {
  const app = new App().get("/a", say("get")).post("/a", say("post")).put("/a", say("put")).patch("/a", say("patch"))
    .delete("/a", say("delete")).head("/h", say("")).all("/all", (ctx) => new Response(ctx.req.method));
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
    assert.equal(await ask(app, "/a", { method }), `200 ${method.toLowerCase()}`);
    assert.equal(await ask(app, "/all", { method }), `200 ${method}`);
  }
  assert.equal(await ask(app, "/h"), "405 Method Not Allowed");
  assert.equal(await ask(app, "/missing"), "404 Not Found");
});

Deno.test("App says which methods a path has to whoever asks, by OPTIONS or by one of the others", async () => {
  const app = new App().get("/a", say("get")).post("/a", say("post")).put("/b", say("put"));
  const allowed = async (path: string, method: string) => {
    const { status, headers } = await app.handler()(new Request(`http://localhost${path}`, { method }));
    return [status, headers.get("allow")];
  };
  assert.deepEqual(await allowed("/a", "OPTIONS"), [204, "GET, HEAD, POST"]);
  assert.deepEqual(await allowed("/a", "DELETE"), [405, "GET, HEAD, POST"]);
  assert.deepEqual(await allowed("/b", "GET"), [405, "PUT"]);
  assert.deepEqual(await allowed("/a", "GET"), [200, null]);
  assert.deepEqual(await allowed("/none", "OPTIONS"), [404, null]);
});

Deno.test("App answers HEAD by GET without a body, unless there is a handler for HEAD", async () => {
  const app = new App().get("/a", say("text")).get("/b", say("text"))
    .head("/b", () => new Response(null, { status: 204 }));
  assert.equal(await ask(app, "/a", { method: "HEAD" }), "200");
  assert.equal(await ask(app, "/b", { method: "HEAD" }), "204");
});

Deno.test("App gives params decoded, and the pattern that matched", async () => {
  const show: Middleware<unknown> = (ctx) => new Response(`${ctx.route} ${JSON.stringify(ctx.params)}`);
  const app = new App().get("/a/:id/b/:other", show).get("/old/:path*", show).get("/docs/:version?", show);
  assert.equal(await ask(app, "/a/x%20y/b/%C3%A4"), '200 /a/:id/b/:other {"id":"x y","other":"ä"}');
  assert.equal(await ask(app, "/a/%E0%A4%A/b/1"), '200 /a/:id/b/:other {"id":"%E0%A4%A","other":"1"}');
  assert.equal(await ask(app, "/old/1/2"), '200 /old/:path* {"path":"1/2"}');
  assert.equal(await ask(app, "/old"), "200 /old/:path* {}");
  assert.equal(await ask(app, "/docs"), "200 /docs/:version? {}");
  assert.equal(await ask(app, "/docs/2"), '200 /docs/:version? {"version":"2"}');
});

Deno.test("App takes a path with a slash at its end for the one without, unless there is one with it", async () => {
  const app = new App().get("/", say("root")).get("/a", say("a")).get("/b", say("b"));
  assert.equal(await ask(app, "/a/"), "200 a");
  assert.equal(await ask(app, "/"), "200 root");
});

Deno.test("App runs middlewares in the order they were added, for the routes added after them", async () => {
  const app = new App<{ trace?: string }>().use(note("1")).get("/early", showTrace).use(note("2"), note("3"))
    .use("/sub", note("4")).get("/late", showTrace).get("/sub", showTrace).get("/sub/x", showTrace)
    .get("/subway", showTrace);
  assert.equal(await ask(app, "/early"), "200 1");
  assert.equal(await ask(app, "/late"), "200 123");
  assert.equal(await ask(app, "/sub"), "200 1234");
  assert.equal(await ask(app, "/sub/x"), "200 1234");
  assert.equal(await ask(app, "/subway"), "200 123");
});

Deno.test("App lets middlewares change the response, see what was thrown, and be brought lazily", async () => {
  const seen: unknown[] = [];
  const app = new App()
    .use(async (ctx) => {
      const response = await ctx.next();
      response.headers.set("x-after", "yes");
      return response;
    })
    .use(async (ctx) => {
      try {
        return await ctx.next();
      } catch (error) {
        seen.push(error === ctx.error);
        throw error;
      }
    })
    .get("/lazy", async () => await Promise.resolve(say("brought")))
    .get("/fail", () => Promise.reject(new HttpError(409, "taken")));
  const response = await app.handler()(new Request("http://localhost/lazy"));
  assert.equal(response.headers.get("x-after"), "yes");
  assert.equal(await response.text(), "brought");
  assert.equal(await ask(app, "/fail"), "409 taken");
  assert.deepEqual(seen, [true]);
});

Deno.test("App answers 500 without details when something else than an HttpError is thrown", async () => {
  const app = new App().get("/", () => {
    throw new Error("the password is 1234");
  });
  assert.equal(await ask(app, "/"), "500 Internal server error");
});

Deno.test("App.onError answers for its path and below, the innermost first", async () => {
  const fail = () => Promise.reject(new Error("broken"));
  const app = new App().onError("*", (ctx) => new Response(`outer ${ctx.error}`, { status: 500 })).get("/", fail)
    .onError("/in", (ctx) => new Response(`inner ${ctx.error}`, { status: 503 })).get("/in/a", fail);
  assert.equal(await ask(app, "/"), "500 outer Error: broken");
  assert.equal(await ask(app, "/in/a"), "503 inner Error: broken");
  assert.equal(await ask(app, "/none"), "500 outer HttpError");
});

Deno.test("App with a base path serves nothing outside it", async () => {
  const app = new App({ basePath: "/app/" }).get("/", (ctx) => new Response(ctx.config.basePath)).get("/a", say("a"));
  assert.equal(await ask(app, "/app"), "200 /app");
  assert.equal(await ask(app, "/app/a"), "200 a");
  assert.equal(await ask(app, "/a"), "404 Not Found");
});

Deno.test("App cannot make a handler for fsRoutes() without a build", () => {
  assert.throws(() => new App().fsRoutes().handler(), /no build was applied/);
});

Deno.test("Context.render answers with a document, and takes status and headers", async () => {
  const app = new App().get("/", (ctx) => ctx.render(<h1>hi</h1>, { status: 418, headers: { "x-a": "1" } }));
  const response = await app.handler()(new Request("http://localhost/"));
  assert.equal(response.status, 418);
  assert.equal(response.headers.get("x-a"), "1");
  assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
  const html = '<!DOCTYPE html><html><head><meta charset="utf-8"></head><body><h1>hi</h1></body></html>';
  assert.equal(await response.text(), html);
});

Deno.test("Context.redirect does not leave the site on what looks like a path", async () => {
  const app = new App().get("/go", (ctx) => ctx.redirect(ctx.url.searchParams.get("to") ?? ""))
    .get("/see-other", (ctx) => ctx.redirect("/a", 303));
  const go = async (to: string) => {
    const response = await app.handler()(new Request(`http://localhost/go?to=${encodeURIComponent(to)}`));
    assert.equal(response.status, 302);
    return response.headers.get("location");
  };
  assert.equal(await go("/a?b=//c#//d"), "/a?b=//c#//d");
  assert.equal(await go("//evil.example"), "/evil.example");
  assert.equal(await go("/\\evil.example"), "/evil.example");
  assert.equal(await go("/\t/evil.example"), "/evil.example");
  assert.equal(await go("https://deno.com//x"), "https://deno.com//x");
  assert.equal(await ask(app, "/see-other"), "303");
});
