import fc from "fast-check";
import assert from "node:assert/strict";
import { readValues } from "./imap/tokens.ts";
import { filesOf, partsOf, textPartOf } from "./structure.ts";

const parts = (text: string) => partsOf(readValues(new TextEncoder().encode(text))[0]);

Deno.test("partsOf lists one part of a simple mail", () => {
  assert.deepEqual(parts('("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" 12 1 NIL NIL NIL NIL)'), [{
    section: "1",
    contentType: "text/plain",
    contentTypeParameters: { charset: "utf-8" },
    disposition: null,
    dispositionParameters: {},
    encoding: "7bit",
    size: 12,
  }]);
});

Deno.test("partsOf numbers nested parts as BODY[…] names them, and finds each type's disposition", () => {
  const found = parts(
    '((("TEXT" "PLAIN" NIL NIL NIL "7BIT" 1 1 NIL NIL)("TEXT" "HTML" NIL NIL NIL "7BIT" 2 1 NIL ("INLINE" NIL)) "ALTERNATIVE")' +
      '("IMAGE" "PNG" ("NAME" "a.png") "<id>" NIL "BASE64" 3 NIL ("ATTACHMENT" ("FILENAME" "b.png")))' +
      '("MESSAGE" "RFC822" NIL NIL NIL "7BIT" 4 (NIL NIL) ("TEXT" "PLAIN" NIL NIL NIL "7BIT" 5 1) 9 NIL ("ATTACHMENT" NIL)) "MIXED")',
  );
  assert.deepEqual(found.map(({ section, contentType, disposition }) => `${section} ${contentType} ${disposition}`), [
    "1.1 text/plain null",
    "1.2 text/html inline",
    "2 image/png attachment",
    "3 message/rfc822 attachment",
  ]);
  assert.equal(textPartOf(found)?.section, "1.1");
  assert.deepEqual(filesOf(found).map(({ section }) => section), ["2", "3"]);
  assert.equal(found[2]?.dispositionParameters["filename"], "b.png");
});

Deno.test("a text with a file name is a file, and HTML is the text where there is no plain one", () => {
  const found = parts(
    '(("TEXT" "PLAIN" ("NAME*0" "a") NIL NIL "7BIT" 1 1)("TEXT" "HTML" NIL NIL NIL "7BIT" 2 1) "MIXED")',
  );
  assert.equal(textPartOf(found)?.section, "2");
  assert.deepEqual(filesOf(found).map(({ section }) => section), ["1"]);
});

Deno.test("partsOf gives some parts for whatever a server says", () => {
  assert.deepEqual(partsOf(undefined).map(({ contentType }) => contentType), ["text/plain"]);
  const words = fc.constantFrom("(", ")", '"TEXT"', "NIL", "5", '"MIXED"', "{2}\r\nab", "x");
  fc.assert(fc.property(fc.array(words, { maxLength: 60 }), (text) => {
    for (const part of parts(text.join(" "))) assert.match(part.section, /^\d+(?:\.\d+)*$/);
  }));
});
