import fc from "fast-check";
import assert from "node:assert/strict";
import { readFileNames, readHeader, readText } from "./mime.ts";
import type { Part } from "./structure.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const part = (change: Partial<Part> = {}): Part => ({
  section: "1",
  contentType: "text/plain",
  contentTypeParameters: {},
  disposition: null,
  dispositionParameters: {},
  encoding: "7bit",
  size: 0,
  ...change,
});

Deno.test("readHeader reads dates the same on every machine: one without a zone is in UTC", async () => {
  const dates: [string, string | null][] = [
    ["Mon, 2 Mar 2026 11:41:08 +0100", "2026-03-02T10:41:08.000Z"],
    ["Mon, 2 Mar 2026 10:41:08", "2026-03-02T10:41:08.000Z"],
    ["2 Mar 2026 10:41:08 GMT (a comment)", "2026-03-02T10:41:08.000Z"],
    ["Mon (a day), 2 Mar 2026 11:41:08 +0100 (one (within) another) (CET)", "2026-03-02T10:41:08.000Z"],
    ["Mon, 2 Mar 2026 11:41:08 +01:00", "2026-03-02T10:41:08.000Z"],
    ["Mon, 2 Mar 2026 05:41:08 EST", "2026-03-02T10:41:08.000Z"],
    ["31 Feb 99999 10:00:00 +0000", null],
    ["soon", null],
    ["", null],
  ];
  for (const [text, expected] of dates) {
    const { date } = await readHeader(bytes(`Date: ${text}\r\n\r\n`));
    assert.equal(date?.toISOString() ?? null, expected, text);
  }
});

Deno.test("readHeader reads every author, groups as their members, and identifiers among other words", async () => {
  const header = await readHeader(bytes(
    "From: Ann <ann@example.com>, ben@example.org\r\nTo: Team: carl@example.org, Dora <dora@example.org>;\r\n" +
      "References: <a@x> (and) <b@x>\r\n\t<c@x>\r\nMessage-ID:   <m@x> \r\n\r\n",
  ));
  assert.deepEqual(header.from.map(({ address }) => address), ["ann@example.com", "ben@example.org"]);
  assert.deepEqual(header.to.map(({ name }) => name), [null, "Dora"]);
  assert.deepEqual([header.references, header.messageId], [["<a@x>", "<b@x>", "<c@x>"], "<m@x>"]);
});

Deno.test("readHeader gives something for any bytes", async () => {
  const names = fc.constantFrom("From", "To", "Subject", "Date", "References", "Content-Type", "Reply-To");
  const line = fc.tuple(names, fc.string({ unit: "binary", maxLength: 80 })).map(([name, value]) =>
    `${name}: ${value}`
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
      const { subject, from } = await readHeader(bytes(lines.join("\r\n")));
      assert.ok(subject === null || subject.length > 0);
      for (const { address, name } of from) assert.ok(address !== "" || name !== null);
    }),
    { numRuns: 500 },
  );
});

Deno.test("readText decodes what is cut off in the middle of a character, and HTML within a style", async () => {
  const base64 = bytes(btoa("grüner Tee".replace("ü", "\xc3\xbc")).slice(0, 9));
  assert.match(await readText(part({ encoding: "base64" }), base64), /^grüner?/);
  const html = "<p>Hello</p><STYLE>p { color: red";
  assert.equal(await readText(part({ contentType: "text/html" }), bytes(html)), "Hello");
  assert.equal(await readText(part({ contentType: "text/html" }), bytes("<p>1 &lt; 2<br>3</p>")), "1 < 2\n3");
});

Deno.test("readText comes to the end of HTML whose links do not", async () => {
  const links = "<a href=".repeat(100_000);
  assert.match(await readText(part({ contentType: "text/html" }), bytes(`<p>Hello</p>${links}`)), /^Hello\n\nhref=/);
});

Deno.test("readText takes the encoding that a charset of no known name most often is", async () => {
  const parameters = { charset: 'x"\r\nX-Injected: 1' };
  assert.equal(await readText(part({ contentTypeParameters: parameters }), bytes("plain")), "plain");
});

Deno.test("readFileNames decodes names in each of the ways that they are written", async () => {
  const named = (dispositionParameters: Record<string, string>, contentTypeParameters = {}) =>
    part({ disposition: "attachment", dispositionParameters, contentTypeParameters });
  assert.deepEqual(
    await readFileNames([
      named({ filename: "plain.txt" }),
      named({}, { name: "=?utf-8?Q?gr=C3=BCn.txt?=" }),
      named({ "filename*": "iso-8859-1''gr%FCn.txt" }),
      named({ "filename*0": "in ", "filename*1": "two.txt" }),
      named({ filename: 'a "quoted" \\ name.txt' }),
      named({}),
      named({ filename: "line\r\nX-Injected: 1" }),
      named({ filename: "the last.txt" }),
    ]),
    [
      "plain.txt",
      "grün.txt",
      "grün.txt",
      "in two.txt",
      'a "quoted" \\ name.txt',
      null,
      "line X-Injected: 1",
      "the last.txt",
    ],
  );
});
