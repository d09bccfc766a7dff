import assert from "node:assert/strict";
import { tokens } from "./token.ts";

Deno.test("tokens are 256 bits, URL-safe, and no two are equal", () => {
  const issued = Array.from({ length: 1000 }, () => tokens.issue());
  for (const token of issued) assert.match(token, /^[A-Za-z0-9_-]{43}$/);
  assert.equal(new Set(issued).size, issued.length);
});

Deno.test("a token's hash stays what stores hold, and does not contain it", () => {
  const token = tokens.issue();
  // FIPS 180-4's example of SHA-256.
  assert.equal(tokens.hash("abc"), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
  assert.notEqual(tokens.hash(token), tokens.hash(tokens.issue()));
  assert.ok(!tokens.hash(token).includes(token));
});
