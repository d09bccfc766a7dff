import assert from "node:assert/strict";
import { tailwind } from "@fresh/plugin-tailwind";
import { App, staticFiles } from "fresh";
import { Builder } from "fresh/dev";
import { ask, TestSite } from "../testing.ts";
import { listFiles } from "./files.ts";

const SITE = {
  "routes/index.tsx": `import Counter from "../islands/Counter.tsx";
    export default () => <p class="p-4 hover:underline"><Counter start={1} /></p>;`,
  "routes/about.tsx": `import { Plain } from "../components/Plain.tsx"; export default () => <Plain />;`,
  "routes/about_test.tsx": `throw new Error("not to be loaded");`,
  "components/Plain.tsx": `export function Plain() { return <b class="mt-[3px]">plain</b>; }`,
  "islands/Counter.tsx": `import { useSignal } from "@preact/signals"; import { label } from "../shared/label.ts";
    export default function Counter({ start }: { start: number }) {
      const count = useSignal(start);
      return <button type="button" class="rounded" onClick={() => count.value++}>{label} {count}</button>;
    }`,
  "islands/deep/Other.tsx": `import { useState } from "preact/hooks"; import { IS_BROWSER } from "fresh/runtime";
    export function Other() { return <i>{useState(IS_BROWSER)[0]}</i>; }`,
  "shared/label.ts": `export const label: string = "Count";`,
  "static/styles.css": `@import "tailwindcss";\n.own { color : red }\n`,
  "static/more.css": ".more { color : blue }\n",
  "static/robots.txt": "User-agent: *\n",
};

function builderOf({ root }: TestSite): Builder {
  const builder = new Builder({ root });
  tailwind(builder);
  return builder;
}

Deno.test("Builder.build makes what the app serves", async () => {
  await using site = await TestSite.create(SITE);
  await builderOf(site).build();
  const snapshot = await site.load();
  assert.deepEqual(Object.keys(snapshot.routes), ["about.tsx", "index.tsx"]);
  assert.deepEqual(Object.keys(snapshot.manifest.islands), ["Counter.tsx", "deep/Other.tsx"]);

  const app = new App().use(staticFiles()).fsRoutes().applySnapshot(snapshot);
  assert.match(await ask(app, "/about"), /<b class="mt-\[3px\]">plain<\/b>/);
  const html = await ask(app, "/");
  assert.match(html, /<!--frsh:0--><button[^>]*>Count 1<\/button>/);
  const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = ""]) => link);
  assert.equal(links.filter((link) => link.includes(".tsx-")).length, 1, "the other island is not on this page");
  for (const link of links) assert.match(await ask(app, link), /^200 /, link);
  assert.equal(await ask(app, "/robots.txt"), "200 User-agent: *");
});

Deno.test("Builder.build bundles one Preact, shared by all islands, without server code", async () => {
  await using site = await TestSite.create(SITE);
  await builderOf(site).build();
  const folder = `${site.root}/_fresh/static/_fresh/js`;
  const modules = await Promise.all((await listFiles(folder)).map((file) => Deno.readTextFile(`${folder}/${file}`)));
  assert.equal(modules.filter((code) => code.includes("__PREACT_SIGNALS_DEVTOOLS__")).length, 1);
  assert.equal(modules.filter((code) => code.includes("setState=function")).length, 1, "the Component class");
  assert.equal(modules.filter((code) => /Deno|node:|jsxTemplate/.test(code)).length, 0);
  assert.ok(modules.every((code) => code.split("\n").length < 5), "minified");
});

Deno.test("tailwind fills in the classes of routes, islands and components, minified", async () => {
  await using site = await TestSite.create(SITE);
  await builderOf(site).build();
  const css = await Deno.readTextFile(`${site.root}/_fresh/static/styles.css`);
  for (const rule of [".p-4{", ".rounded{", ".mt-\\[3px\\]{margin-top:3px}", ".hover\\:underline", ".own{color:red}"]) {
    assert.ok(css.includes(rule), rule);
  }
  assert.doesNotMatch(css, /\.p-5|@import|@tailwind/);
});

Deno.test("Builder.isStale tells when there is no build of what the files are now", async () => {
  await using site = await TestSite.create(SITE);
  const builder = builderOf(site);
  assert.equal(await builder.isStale(), true, "never built");
  await builder.build();
  assert.equal(await builder.isStale(), false);
  const changes = {
    "a route": ["routes/index.tsx", "export default () => 1;"],
    "a new route": ["routes/new.tsx", "export default () => 1;"],
    "a component": ["components/Plain.tsx", "export const Plain = () => null;"],
    "a style sheet": ["static/styles.css", ".a{}"],
    "what an island imports": ["shared/label.ts", `export const label = "Other";`],
    "the lockfile": ["deno.lock", `${await Deno.readTextFile(`${site.root}/deno.lock`)}\n`],
  } as const;
  for (const [name, [file, text]] of Object.entries(changes)) {
    await site.write(file, text);
    assert.equal(await builder.isStale(), true, name);
    await builder.build();
    assert.equal(await builder.isStale(), false, name);
  }
  await site.write("routes/new_test.tsx", "");
  assert.equal(await builder.isStale(), false, "a test");
  await Deno.remove(`${site.root}/routes/new.tsx`);
  assert.equal(await builder.isStale(), true, "a removed route");
  await builder.build({ mode: "development" });
  assert.equal(await builder.isStale(), true, "a build for development");
  await Deno.writeTextFile(`${site.root}/_fresh/manifest.json`, "{");
  assert.equal(await builder.isStale(), true, "half a build");
});

Deno.test("Builder.build gives the same files the same names, and removes what an earlier build left", async () => {
  await using site = await TestSite.create(SITE);
  const builder = builderOf(site);
  await builder.build();
  const files = await listFiles(`${site.root}/_fresh`);
  const written = await Deno.stat(`${site.root}/_fresh/snapshot.js`);
  await builder.build();
  assert.deepEqual(await listFiles(`${site.root}/_fresh`), files);
  assert.deepEqual((await Deno.stat(`${site.root}/_fresh/snapshot.js`)).mtime, written.mtime, "not written again");
  await site.write("islands/Counter.tsx", "export default function Counter() { return <hr />; }");
  await builder.build();
  const after = await listFiles(`${site.root}/_fresh`);
  assert.equal(after.filter((file) => file.includes("Counter.tsx-")).length, 1);
  assert.notDeepEqual(after, files);
});

Deno.test("Builder.listen builds for development, so that pages reload, and starts the server", async () => {
  await using site = await TestSite.create(SITE);
  let started = false;
  await builderOf(site).listen(() => Promise.resolve(started = true));
  assert.equal(started, true);
  const app = new App().use(staticFiles()).fsRoutes().applySnapshot(await site.load());
  const [, link = ""] = /<script type="module" src="([^"]*reload[^"]*)">/.exec(await ask(app, "/about")) ?? [];
  assert.match(await ask(app, link), /^200 .*alive/s);
});

Deno.test("Builder.build says what is wrong with an island", async () => {
  await using site = await TestSite.create({ "islands/A.tsx": `import "no-such-package"; export default () => 1;` });
  await assert.rejects(new Builder({ root: site.root }).build(), /no-such-package.*deno\.lock has no package/s);
  await site.write("islands/A.tsx", "export default () => <p>;");
  await assert.rejects(new Builder({ root: site.root }).build(), /A\.tsx/);
  await site.write("islands/A.tsx", `import "amqplib"; export default () => 1;`);
  await assert.rejects(new Builder({ root: site.root }).build(), /amqplib|Could not resolve/);
});

Deno.test("Builder.build refuses a lockfile with two versions of what a page needs once", async () => {
  await using site = await TestSite.create(SITE);
  const lock = JSON.parse(await Deno.readTextFile(`${site.root}/deno.lock`));
  lock.npm["preact@11.0.0"] = {};
  await Deno.writeTextFile(`${site.root}/deno.lock`, JSON.stringify(lock));
  await assert.rejects(builderOf(site).build(), /deno\.lock has preact .* and .*, pages need one/);
});
