import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { equalInConstantTime, hmac, hmacHeader, type HmacRule } from "./hmac.ts";

const BODY = new TextEncoder().encode("Hello, World!");
const KEY = "It's a Secret to Everybody";
const RULE: HmacRule = { header: "x-signature", prefix: "sha256=", key: KEY };
/** GitHub's published vector: https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
const PUBLISHED = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

function verdictOf(signature: string | undefined, rule: HmacRule = RULE, body = BODY) {
  const headers = new Headers(signature === undefined ? {} : { "x-signature": signature });
  return hmac({ headers, body, receivedAt: new Date(0) }, rule);
}

Deno.test("hmac accepts GitHub's published vector, in either case", () => {
  assert.deepEqual(verdictOf(PUBLISHED), { authentic: true });
  assert.deepEqual(verdictOf(`sha256=${PUBLISHED.slice(7).toUpperCase()}`), {
    authentic: true,
  });
});

Deno.test("hmac accepts every algorithm and encoding", () => {
  for (const algorithm of ["sha256", "sha512"] as const) {
    for (const encoding of ["hex", "base64"] as const) {
      const signature = createHmac(algorithm, RULE.key).update(BODY).digest(encoding);
      const rule = { header: "x-signature", algorithm, encoding, key: RULE.key };
      assert.deepEqual(verdictOf(signature, rule), { authentic: true });
    }
  }
});

Deno.test("hmac takes the secret as UTF-8", () => {
  const key = "Schlüssel 🔑";
  const signature = createHmac("sha256", new TextEncoder().encode(key)).update(BODY).digest("hex");
  assert.deepEqual(verdictOf(`sha256=${signature}`, { ...RULE, key }), { authentic: true });
});

for (
  const [signature, fault] of [
    [undefined, "missing"],
    ["", "missing"],
    ["sha256=", "malformed"],
    [PUBLISHED.slice(0, -1), "malformed"],
    [PUBLISHED.slice(0, -2), "malformed"],
    [`${PUBLISHED}00`, "malformed"],
    [PUBLISHED.replace("sha256=", "sha1="), "malformed"],
    [PUBLISHED.replace("7571", "zz71"), "malformed"],
    [PUBLISHED.replace("7571", "7572"), "mismatch"],
  ] as const
) {
  Deno.test(`hmac refuses ${JSON.stringify(signature)} as ${fault}`, () => {
    const verdict = verdictOf(signature);
    assert.equal(verdict.authentic, false);
    if (!verdict.authentic) assert.equal(verdict.fault, fault);
  });
}

Deno.test("hmac refuses the signature for every changed byte of the body", () => {
  for (let index = 0; index < BODY.length; index++) {
    const changed = new Uint8Array(BODY.with(index, (BODY[index] ?? 0) ^ 1));
    assert.equal(verdictOf(PUBLISHED, RULE, changed).authentic, false);
  }
});

Deno.test("hmac hints that a form may have been re-encoded", () => {
  const headers = new Headers({
    "x-signature": PUBLISHED.replace("7571", "7572"),
    "content-type": "application/x-www-form-urlencoded",
  });
  const verdict = hmac({ headers, body: BODY, receivedAt: new Date(0) }, RULE);
  assert.ok(!verdict.authentic && /re-encoded/.test(verdict.detail));
});

Deno.test("hmac's words name the header, and neither key nor signature", () => {
  const verdict = verdictOf(PUBLISHED.replace("7571", "7572"));
  assert.ok(!verdict.authentic);
  assert.match(verdict.detail, /x-signature/);
  assert.ok(!verdict.detail.includes(KEY) && !verdict.detail.includes("7572"));
});

Deno.test("hmac signs what the rule says, part by part, with a key of bytes as with one of text", () => {
  const signature = createHmac("sha256", "key").update("v0:1:").update(BODY).digest("hex");
  const rule: HmacRule = { header: "x-signature", key: "key", signs: (body) => ["v0:1:", body] };
  assert.deepEqual(verdictOf(signature, rule), { authentic: true });
  assert.deepEqual(verdictOf(signature, { ...rule, key: new TextEncoder().encode("key") }), { authentic: true });
  assert.equal(verdictOf(signature, { header: "x-signature", key: "key" }).authentic, false);
  assert.deepEqual(hmacHeader(BODY, rule), { "x-signature": signature });
});

Deno.test("equalInConstantTime tells equal texts from others", () => {
  const pairs = [["token", "token"], ["token", "tokem"], ["token", "token "], ["", ""], ["é", "e"]] as const;
  assert.deepEqual(pairs.map(([a, b]) => equalInConstantTime(a, b)), [true, false, false, true, false]);
});
