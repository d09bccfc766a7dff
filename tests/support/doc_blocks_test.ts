import assert from "node:assert/strict";
import { isAsShown, shellBlocks } from "./doc_blocks.ts";

const DOCUMENT = `# Title

\`\`\`sh run
echo "a b"
\`\`\`

It says:

\`\`\`text
a …
\`\`\`

1. Then:

   \`\`\`sh no-run: needs Docker
   docker run x
     -d
   \`\`\`

\`\`\`text later
done
\`\`\`

\`\`\`sh
ls
\`\`\`

\`\`\`sh no-run:
ls
\`\`\`
`;

Deno.test("shellBlocks reads how each block is known to work, and what it prints", () => {
  const [first, second, third, fourth, ...more] = shellBlocks("a.md", DOCUMENT);
  assert.deepEqual(first, {
    document: "a.md",
    line: 3,
    proof: "run",
    detail: "",
    text: 'echo "a b"\n',
    prints: "a …\n",
    later: undefined,
  });
  assert.equal(second?.proof, "no-run");
  assert.equal(second.detail, "needs Docker");
  assert.equal(second.text, "docker run x\n  -d\n");
  assert.equal(second.later, "done\n");
  assert.equal(third?.proof, undefined, "nothing is said");
  assert.equal(fourth?.proof, undefined, "no reason is given");
  assert.deepEqual(more, []);
});

Deno.test("isAsShown takes … for anything, and a line of it for any lines", () => {
  assert.ok(isAsShown("one 123 two\n", "one … two"));
  assert.ok(isAsShown("begin\n1\n2\nend\n", "begin\n…\nend\n"));
  assert.ok(isAsShown("begin\nend\n", "begin\n…\nend\n"), "or for none");
  assert.ok(isAsShown("log line\nlistening (on) 1\n", "listening (on) …"));
  assert.ok(!isAsShown("one\n123 two\n", "one … two"));
  assert.ok(!isAsShown("listening on 1\n", "listening (on) …"));
});
