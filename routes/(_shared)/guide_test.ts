import assert from "node:assert/strict";
import { renderGuide } from "./guide.ts";

const INTRO = "# Source\n\nWhat it is.\n\n";
const LIMITS = "## Limits\n\nThere are some.\n";

Deno.test("renderGuide takes the section of the set-up for the steps, without its heading", () => {
  const { steps, more } = renderGuide(`${INTRO}## Set-up\n\n1. Begin.\n\n${LIMITS}`);
  assert.match(steps, /^<ol>\s*<li>Begin.<\/li>\s*<\/ol>\s*$/);
  assert.match(more, /^<h3>Limits<\/h3>\s*<p>There are some.<\/p>\s*$/);
});

Deno.test("renderGuide takes all sections of the set-up where there are several ways, with their headings", () => {
  const { steps, more } = renderGuide(
    `${INTRO}## Set-up: one\n\n1. Begin.\n\n## Set-up: other\n\n1. End.\n\n${LIMITS}`,
  );
  assert.match(steps, /<h3>Set-up: one<\/h3>.*Begin.*<h3>Set-up: other<\/h3>.*End/s);
  assert.doesNotMatch(more, /Set-up/);
});

Deno.test("renderGuide takes what stands before the first section where none is of the set-up", () => {
  const { steps, more } = renderGuide(`# Source\n\n1. Begin.\n\n${LIMITS}`);
  assert.match(steps, /^<ol>\s*<li>Begin.<\/li>\s*<\/ol>\s*$/);
  assert.match(more, /Limits/);
});
