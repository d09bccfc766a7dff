/** While secrets are being replaced: what the former ones sign is accepted until their time is over. */
import assert from "node:assert/strict";
import { z } from "zod";
import { SignatureError } from "./errors.ts";
import { hmac, hmacHeader, type HmacRule } from "./hmac.ts";
import { defineWebhook, type Delivery, type Receiver } from "./webhook.ts";

const [OLD, NEW] = ["the former secret", "the present secret"] as const;
const UNTIL = new Date("2026-01-02T00:00:00.000Z");
const BEFORE = new Date(UNTIL.getTime() - 1);
const BODY = new TextEncoder().encode("{}");

const ruleOf = (key: string): HmacRule => ({ header: "x-signature", prefix: "v1=", key });

const connector = defineWebhook({
  id: "signed",
  name: "Signed",
  description: "A connector for tests",
  documentationUrl: "https://example.com",
  payloads: {},
  descriptions: {},
  headers: [],
  config: {},
  secrets: { key: z.string().min(10) },
  check: ({ secrets: { key } }) => key.startsWith("bad") ? [{ pointer: "/secrets/key", detail: "is bad" }] : [],
  verify: (delivery, { key }) => hmac(delivery, ruleOf(key)),
  sign: ({ body }, { key }) => hmacHeader(body, ruleOf(key)),
  deliveryId: () => "d",
  normalize: () => [],
});

function overlapping(secrets: Record<string, unknown> = { key: OLD }): Receiver {
  return connector.open({ config: {}, secrets: { key: NEW }, retiring: { secrets, until: UNTIL } });
}

function signedWith(key: string, receivedAt: Date): Delivery {
  return { headers: new Headers(hmacHeader(BODY, ruleOf(key))), body: BODY, receivedAt };
}

Deno.test("a webhook accepts what either secret signs before the former's time is over, and then the present's alone", () => {
  const receiver = overlapping();
  for (const key of [OLD, NEW]) assert.equal(receiver.receive(signedWith(key, BEFORE)).deliveryId, "d");
  assert.equal(receiver.receive(signedWith(NEW, UNTIL)).deliveryId, "d");
  assert.throws(() => receiver.receive(signedWith(OLD, UNTIL)), SignatureError);
  const alone = connector.open({ config: {}, secrets: { key: NEW }, retiring: null });
  assert.throws(() => alone.receive(signedWith(OLD, BEFORE)), SignatureError);
});

Deno.test("a webhook refuses what neither secret signed, in the words of the present and with no secret in them", () => {
  const refused = (receiver: Receiver, delivery: Delivery) => {
    try {
      receiver.receive(delivery);
    } catch (error) {
      assert.ok(error instanceof SignatureError);
      return { fault: error.fault, message: error.message };
    }
    assert.fail("it was accepted");
  };
  const alone = connector.open({ config: {}, secrets: { key: NEW } });
  for (
    const delivery of [
      signedWith("somebody else's", BEFORE),
      { ...signedWith(OLD, BEFORE), body: new TextEncoder().encode("{} ") },
      { ...signedWith(OLD, BEFORE), headers: new Headers({ "x-signature": "v1=nothing" }) },
      { ...signedWith(OLD, BEFORE), headers: new Headers() },
    ]
  ) {
    const refusal = refused(overlapping(), delivery);
    assert.deepEqual(refusal, refused(alone, delivery));
    assert.ok(!refusal.message.includes(OLD) && !refusal.message.includes(NEW));
  }
});

Deno.test("a webhook signs with the present secret", () => {
  const request = { headers: new Headers(), body: BODY, receivedAt: BEFORE };
  assert.deepEqual(overlapping().sign(request), new Headers(hmacHeader(BODY, ruleOf(NEW))));
});

Deno.test("a webhook leaves out former secrets that do not fit any more, and opens with the present", () => {
  for (const secrets of [{}, { key: 1 }, { key: OLD, gone: "x" }, { key: "bad, says the check" }]) {
    const receiver = overlapping(secrets);
    assert.equal(receiver.receive(signedWith(NEW, BEFORE)).deliveryId, "d");
    assert.throws(() => receiver.receive(signedWith("bad, says the check", BEFORE)), SignatureError);
  }
});

/** Signs with whichever secret is set, each in a header of its own: a change of secret can be a change of scheme. */
const schemes = defineWebhook({
  id: "schemes",
  name: "Schemes",
  description: "A connector for tests",
  documentationUrl: "https://example.com",
  payloads: {},
  descriptions: {},
  headers: [],
  config: {},
  secrets: { token: z.string().optional(), key: z.string().optional() },
  verify(delivery, { token, key }) {
    if (key !== undefined) return hmac(delivery, ruleOf(key));
    if (delivery.headers.get("x-token") === token) return { authentic: true };
    return { authentic: false, fault: "missing", detail: "the token is missing" };
  },
  sign: () => ({}),
  deliveryId: () => "d",
  normalize: () => [],
});

Deno.test("a webhook whose former secret is of another scheme lets by unread what either may accept", () => {
  const retiring = { secrets: { token: OLD }, until: UNTIL };
  const receiver = schemes.open({ config: {}, secrets: { key: NEW }, retiring });
  const byToken = { headers: new Headers({ "x-token": OLD }), body: BODY, receivedAt: BEFORE };
  receiver.refuseUnsigned(byToken.headers, BEFORE);
  assert.equal(receiver.receive(byToken).deliveryId, "d");
  receiver.refuseUnsigned(signedWith(NEW, BEFORE).headers, BEFORE);
  assert.throws(() => receiver.refuseUnsigned(byToken.headers, UNTIL), SignatureError);
  const unsigned = { ...byToken, headers: new Headers() };
  for (const refuse of [() => receiver.refuseUnsigned(unsigned.headers, BEFORE), () => receiver.receive(unsigned)]) {
    assert.throws(refuse, /x-signature/, "the words are those of the present scheme");
  }
});
