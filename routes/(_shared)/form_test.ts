import assert from "node:assert/strict";
import { HttpError } from "fresh";
import { readForm } from "./form.ts";

const post = (body: BodyInit, type = "application/x-www-form-urlencoded") =>
  new Request("http://localhost/", { method: "POST", headers: { "content-type": type }, body });

Deno.test("readForm reads what was posted", async () => {
  assert.equal((await readForm(post("name=Acm%C3%A9&x=1"))).get("name"), "Acmé");
  assert.equal((await readForm(post(""))).size, 0);
});

Deno.test("readForm refuses another encoding, a form that is too large, and one that does not arrive", async () => {
  const isStatus = (status: number) => (error: Error) => error instanceof HttpError && error.status === status;
  await assert.rejects(readForm(post("{}", "application/json")), isStatus(415));
  await assert.rejects(readForm(post(`a=${"x".repeat(1024 * 1024)}`)), isStatus(413));
  await assert.rejects(readForm(post(new ReadableStream()), 5), isStatus(408));
});
