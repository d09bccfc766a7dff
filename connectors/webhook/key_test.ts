import assert from "node:assert/strict";
import { keyOf } from "./key.ts";

const hexOf = (...args: Parameters<typeof keyOf>) => {
  const key = keyOf(...args);
  return key && new Uint8Array(key).toHex();
};

Deno.test("keyOf reads a secret in each encoding, base64 with or without its padding", () => {
  assert.equal(hexOf("ü1", "utf8"), "c3bc31");
  assert.equal(hexOf("00fF", "hex"), "00ff");
  assert.equal(hexOf("AP8=", "base64"), "00ff");
  assert.equal(hexOf("AP8", "base64"), "00ff");
  assert.equal(hexOf("whsec_AP8=", "whsec"), "00ff");
  assert.equal(hexOf("AP8=", "whsec"), "00ff");
});

Deno.test("keyOf takes no secret with a typing mistake, which would be another key", () => {
  for (const text of ["0", "0g", "00 ff", "", "0x00"]) assert.equal(keyOf(text, "hex"), undefined, text);
  for (const text of ["AP8!", "A P8", "AP-_", "", "A"]) assert.equal(keyOf(text, "base64"), undefined, text);
  for (const text of ["whsec_", "whsec-AP8=", "WHSEC_AP8="]) assert.equal(keyOf(text, "whsec"), undefined, text);
});
