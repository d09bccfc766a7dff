import assert from "node:assert/strict";
import { filled, fills, templateOf } from "./template.ts";

const write = (text: string) =>
  filled(templateOf(text) ?? assert.fail(text), { body: "B", timestamp: "T", id: "I" }).join("");

Deno.test("templateOf fills in body, time and id, and leaves all else as it stands", () => {
  assert.equal(write("{body}"), "B");
  assert.equal(write("{id}.{timestamp}.{body}"), "I.T.B");
  assert.equal(write("v0:{timestamp}:{body}"), "v0:T:B");
  assert.equal(write("https://example.com/hook{body}{body}"), "https://example.com/hookBB");
});

Deno.test("templateOf refuses what leaves out the body or is misspelled", () => {
  for (
    const text of ["", "{timestamp}", "body", "{Body}", "{body}.{time}", "{body", "{body}}", "{{body}}", "{} {body}"]
  ) {
    assert.equal(templateOf(text), undefined, text);
  }
});

Deno.test("fills tells what is filled in", () => {
  const template = templateOf("{timestamp}.{body}") ?? assert.fail();
  assert.deepEqual([fills(template, "body"), fills(template, "timestamp"), fills(template, "id")], [true, true, false]);
});
