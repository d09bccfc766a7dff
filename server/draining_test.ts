import assert from "node:assert/strict";
import { drainingHandler } from "./draining.ts";

const request = new Request("http://localhost/");

Deno.test("drainingHandler finishes what is under way and refuses what comes after", async () => {
  const slow = Promise.withResolvers<Response>();
  const handler = drainingHandler(() => slow.promise, () => new Response("stopping", { status: 503 }));
  const underWay = handler.fetch(request);
  let drained = false;
  const drain = handler.drain().then(() => drained = true);
  assert.equal((await handler.fetch(request)).status, 503);
  assert.equal(drained, false);
  slow.resolve(new Response("done"));
  assert.equal(await (await underWay).text(), "done");
  await drain;
});

Deno.test("drainingHandler is drained at once when nothing is under way, also after a failure", async () => {
  const failing = drainingHandler(() => Promise.reject(new Error("no")), () => new Response());
  await assert.rejects(Promise.resolve(failing.fetch(request)));
  await failing.drain();
  await failing.drain();
});
