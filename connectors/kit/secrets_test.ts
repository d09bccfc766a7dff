import assert from "node:assert/strict";
import { withoutSecrets } from "./secrets.ts";

Deno.test("withoutSecrets takes out every secret, also nested, URL-encoded and inside a longer one", () => {
  const secrets = { password: "p@ss word", spare: "p@ss", keys: { phone: "phone-key" }, none: null, list: ["listed"] };
  const text = "p@ss word, p@ss, p%40ss%20word, phone-key; listed";
  assert.equal(withoutSecrets(text, secrets), "•••, •••, •••, •••; •••");
});

for (const user of ["a", "ab", "abc", ""]) {
  Deno.test(`withoutSecrets takes a password out of base64 with the user name "${user}"`, () => {
    for (const password of ["correct horse", "päss wörd!", 'with "quotes" in it']) {
      for (const text of [`\0${user}\0${password}`, `${user}:${password}`, `${user}:${password}\n`]) {
        const told = withoutSecrets(`BAD ${new TextEncoder().encode(text).toBase64()} is unknown`, { password });
        const left = told.slice("BAD ".length, -" is unknown".length);
        assert.match(left, /^[\w+/]{0,8}•••[\w+/=]{0,4}$/, `${password}: ${left}`);
      }
    }
  });
}

Deno.test("withoutSecrets takes out what is quoted as JSON and IMAP quote", () => {
  const password = 'a "quoted\\one"';
  assert.equal(withoutSecrets(`LOGIN x ${JSON.stringify(password)} failed`, { password }), 'LOGIN x "•••" failed');
});

Deno.test("withoutSecrets leaves what is too short to be one", () => {
  assert.equal(withoutSecrets("an error", { pin: "an" }), "an error");
});
