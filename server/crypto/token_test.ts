import assert from "node:assert/strict";
import { tokens } from "./token.ts";

Deno.test("tokens are 256 bits, URL-safe, and no two are equal", () => {
  const issued = Array.from({ length: 1000 }, () => tokens.issue());
  for (const token of issued) assert.match(token, /^[A-Za-z0-9_-]{43}$/);
  assert.equal(new Set(issued).size, issued.length);
});

Deno.test("a token's hash is stable and does not contain it", () => {
  const token = tokens.issue();
  assert.equal(tokens.hash(token), tokens.hash(token));
  assert.notEqual(tokens.hash(token), tokens.hash(tokens.issue()));
  assert.ok(!tokens.hash(token).includes(token));
});
