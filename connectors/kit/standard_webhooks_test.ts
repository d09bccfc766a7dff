import fc from "fast-check";
import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { standardWebhooks, standardWebhooksHeaders, standardWebhooksSecretSchema } from "./standard_webhooks.ts";
import type { Delivery } from "./webhook.ts";

/** The vector of the specification's reference libraries. */
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const SIGNED_AT = new Date(1614265330_000);
const BODY = new TextEncoder().encode('{"test": 2432232314}');
const HEADERS = {
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": "1614265330",
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

const deliveryOf = (headers: Record<string, string>, receivedAt = SIGNED_AT): Delivery => ({
  headers: new Headers(headers),
  body: BODY,
  receivedAt,
});
const faultOf = (headers: Record<string, string>, receivedAt = SIGNED_AT) => {
  const verdict = standardWebhooks(deliveryOf(headers, receivedAt), SECRET);
  return verdict.authentic ? "authentic" : verdict.fault;
};

Deno.test("standardWebhooks accepts the published vector, among other signatures, with or without the secret's prefix", () => {
  assert.equal(faultOf(HEADERS), "authentic");
  const signature = `v1,${"A".repeat(43)}= v1a,other ${HEADERS["webhook-signature"]} v2,zzz`;
  assert.equal(faultOf({ ...HEADERS, "webhook-signature": signature }), "authentic");
  assert.ok(standardWebhooks(deliveryOf(HEADERS), SECRET.slice("whsec_".length)).authentic);
});

Deno.test("standardWebhooks refuses a request that is five minutes off, either way", () => {
  const shifted = (seconds: number) => faultOf(HEADERS, new Date(SIGNED_AT.getTime() + seconds * 1000));
  assert.deepEqual([-301, -300, 300, 301].map(shifted), ["stale", "authentic", "authentic", "stale"]);
});

for (
  const [headers, fault] of [
    [{ "webhook-id": "" }, "missing"],
    [{ "webhook-timestamp": "" }, "missing"],
    [{ "webhook-signature": "" }, "missing"],
    [{ "webhook-timestamp": "soon" }, "malformed"],
    [{ "webhook-timestamp": "-1" }, "malformed"],
    [{ "webhook-timestamp": "1e9" }, "malformed"],
    [{ "webhook-signature": "v1,short" }, "malformed"],
    [{ "webhook-signature": "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" }, "malformed"],
    [{ "webhook-signature": "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" }, "malformed"],
    [{ "webhook-id": "msg_other" }, "mismatch"],
    [{ "webhook-timestamp": "1614265331" }, "mismatch"],
    [{ "webhook-signature": "v1,h0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" }, "mismatch"],
  ] as const
) {
  Deno.test(`standardWebhooks refuses ${JSON.stringify(headers)} as ${fault}`, () => {
    assert.equal(faultOf({ ...HEADERS, ...headers }), fault);
  });
}

Deno.test("standardWebhooksHeaders signs as the reference library does, and keeps the request's id", () => {
  fc.assert(fc.property(fc.string(), fc.uint8Array({ minLength: 24, maxLength: 64 }), (text, bytes) => {
    const secret = `whsec_${new Uint8Array(bytes).toBase64()}`;
    const body = new TextEncoder().encode(text);
    const receivedAt = new Date(Math.floor(Date.now() / 1000) * 1000);
    const signed = standardWebhooksHeaders({ headers: new Headers({ "webhook-id": "d" }), body, receivedAt }, secret);
    assert.equal(new Webhook(secret).sign("d", receivedAt, text), signed["webhook-signature"]);
    assert.ok(standardWebhooks({ headers: new Headers(signed), body, receivedAt }, secret).authentic);
  }));
});

Deno.test("standardWebhooksSecretSchema takes 24 to 64 bytes in base64", () => {
  const secretOf = (bytes: number) => `whsec_${new Uint8Array(bytes).toBase64()}`;
  const fits = (text: string) => standardWebhooksSecretSchema.safeParse(text).success;
  assert.deepEqual([23, 24, 32, 64, 65].map((bytes) => fits(secretOf(bytes))), [false, true, true, true, false]);
  assert.deepEqual([SECRET, SECRET.slice(6), `${SECRET}!`, "whsec_", "", "a secret with words"].map(fits), [
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
