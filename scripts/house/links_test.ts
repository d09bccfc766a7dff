import assert from "node:assert/strict";
import { checkLinks } from "./links.ts";
import { placesOf } from "./source.ts";

const B = "# The `b` file: of [all](a.md)\n\n## Part\n\n## Part\n\n```sh\n# a comment\n```\n";

function links(text: string, path = "docs/a.md"): string[] {
  const paths = [path, "docs/b.md", "README.md", "server/app.ts", "docs/a b.md", "docs/c(1).md"];
  return placesOf(checkLinks([{ path, text }, { path: "docs/b.md", text: B }], paths));
}

for (
  const link of [
    "[b](b.md)",
    "[b](./b.md#part)",
    "[up](../README.md)",
    "[folder](../server/)",
    "[root](/README.md)",
    '[titled](b.md "title")',
    "[spaces](a%20b.md)",
    "[brackets](<a b.md>)",
    "[parentheses](c(1).md)",
    "![image](b.md)",
    "[web](https://example.com/none.md)",
    "[mail](mailto:a@example.com)",
    "[number two](b.md#part-1)",
    "[code and link](b.md#the-b-file-of-all)",
    "## Über uns ##\n\n[own](#über-uns)",
    "[lines](../server/app.ts#L5)",
    "[b]: b.md",
    "`[code](none.md)`",
    "```md\n[code](none.md)\n```",
    "<!-- [hidden](none.md) -->",
    '<a href="b.md">b</a>',
  ]
) {
  Deno.test(`checkLinks lets ${JSON.stringify(link)} pass`, () => assert.deepEqual(links(link), []));
}

const wrong = [
  "[b](c.md)",
  "[b](../b.md#part)",
  "[b](b.md#no-part)",
  "[b](b.md#part-2)",
  "[b](b.md#a-comment)",
  "[own](#none)",
  "[b]: c.md",
  '<img src="c.png">',
  "[![a](b.md)](c.md)",
];
for (const link of wrong) {
  Deno.test(`checkLinks finds that ${link} goes nowhere`, () =>
    assert.deepEqual(links(`\n${link}\n`), ["docs/a.md:2"]));
}
