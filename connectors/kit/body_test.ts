import assert from "node:assert/strict";
import { formField, isForm, parseJson, parseJsonField } from "./body.ts";
import { MalformedBodyError } from "./errors.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("parseJson reads UTF-8", () => {
  assert.deepEqual(parseJson(bytes('{"a":"ü🔑"}')), { a: "ü🔑" });
});

Deno.test("parseJson refuses other text and other encodings without quoting them", () => {
  for (const body of [bytes("secret{"), bytes(""), new Uint8Array([0x22, 0xff, 0x22])]) {
    assert.throws(() => parseJson(body), (error: Error) => {
      assert.ok(error instanceof MalformedBodyError);
      return !error.message.includes("secret");
    });
  }
});

Deno.test("parseJsonField reads JSON from a form's field", () => {
  const form = new URLSearchParams({ payload: '{"a":"x & y"}', other: "1" }).toString();
  assert.deepEqual(parseJsonField(bytes(form), "payload"), { a: "x & y" });
  assert.throws(() => parseJsonField(bytes("other=1"), "payload"), /no field "payload"/);
  assert.throws(() => parseJsonField(bytes("payload=nope"), "payload"), MalformedBodyError);
});

Deno.test("formField gives the first field of that name, decoded, and none for another that holds the name", () => {
  assert.equal(formField("a=1&payload=%7B%22x%22%3A+1%7D&payload=2", "payload"), '{"x": 1}');
  assert.equal(formField("payload=", "payload"), "");
  for (const form of ["", "payload", "my_payload=1", "a=payload=1", "payloads=1"]) {
    assert.equal(formField(form, "payload"), null, form);
  }
});

Deno.test("formField finds its field among millions without taking them apart", () => {
  const others = "a&".repeat(12_000_000);
  assert.equal(formField(`${others}payload=1`, "payload"), "1");
  assert.equal(formField(others, "payload"), null);
});

Deno.test("isForm goes by the content type, whatever stands beside it", () => {
  const of = (type: string) => isForm(new Headers({ "content-type": type }));
  assert.deepEqual(["application/x-www-form-urlencoded", "Application/X-WWW-Form-Urlencoded; charset=utf-8"].map(of), [
    true,
    true,
  ]);
  assert.deepEqual([of("application/json"), of("text/x-www-form-urlencoded"), isForm(new Headers())], [
    false,
    false,
    false,
  ]);
});
