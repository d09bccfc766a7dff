import assert from "node:assert/strict";
import { webhook } from "./mod.ts";
import { SECRET } from "./testing.ts";

const plain = { signatureHeader: "X-Signature" };
const timed = { ...plain, signedContent: "{timestamp}.{body}" };
const pointersOf = (config: Record<string, unknown>, signingSecret = SECRET) =>
  webhook.faultsOf({ config, secrets: { signingSecret } }, true).map(({ pointer }) => pointer);

for (
  const [mistake, config, pointer] of [
    ["no header for the signature", {}, "signatureHeader"],
    ["a misspelled placeholder", { ...plain, signedContent: "{time}.{body}" }, "signedContent"],
    ["a signature that leaves out the body", { ...plain, signedContent: "{id}" }, "signedContent"],
    ["a signed time that stands nowhere", timed, "timestamp"],
    ["a signed time that stands in the body, which is signed with it", { ...timed, timestamp: "/sentAt" }, "timestamp"],
    ["a time in a header that is not signed", { ...plain, timestamp: "header:x-time" }, "timestamp"],
    [
      "a time in the signature's header, which is no list",
      { ...timed, timestamp: "header:x-signature#t" },
      "timestamp",
    ],
    [
      "a signature's header for a time",
      { ...timed, signatureList: "comma", timestamp: "header:X-SIGNATURE" },
      "timestamp",
    ],
    ["a signed id that stands nowhere", { ...plain, signedContent: "{id}.{body}" }, "deliveryId"],
    ["a signed id in the body", { ...plain, signedContent: "{id}.{body}", deliveryId: "/id" }, "deliveryId"],
    ["a signed id in either of two headers", {
      ...plain,
      signedContent: "{id}.{body}",
      deliveryId: "header:a header:b",
    }, "deliveryId"],
    ["a prefix that no part of the list can have", {
      ...plain,
      signatureList: "comma",
      signaturePrefix: "v1,",
    }, "signaturePrefix"],
    ["a prefix that the time has too", {
      ...timed,
      signatureList: "comma",
      signaturePrefix: "t=",
      timestamp: "header:x-signature#t",
    }, "signaturePrefix"],
    ["an event made of its signature", { ...plain, deliveryId: "header:x-signature" }, "deliveryId"],
    ["an event made of credentials", { ...plain, actorId: "/by header:Authorization" }, "actorId"],
    ["an event made of a cookie", { ...plain, occurredAt: "header:cookie#at" }, "occurredAt"],
  ] as const
) {
  Deno.test(`the check finds ${mistake}`, () => assert.deepEqual(pointersOf(config), [`/config/${pointer}`]));
}

Deno.test("the check finds a secret that is not in its encoding, or too short in it, and does not quote it", () => {
  const faultsOf = (secretEncoding: string, signingSecret: string) =>
    webhook.faultsOf({ config: { ...plain, secretEncoding }, secrets: { signingSecret } }, true);
  for (
    const [encoding, secret] of [
      ["hex", "not hexadecimal digits"],
      ["hex", "0123456789abcdef"],
      ["base64", "AAAAAAAAAAAAAAAA"],
      ["base64", "not base64 at all!"],
      ["whsec", "whsec_AAAAAAAAAAAA"],
    ] as const
  ) {
    const [fault, ...others] = faultsOf(encoding, secret);
    assert.equal(fault?.pointer, "/secrets/signingSecret", secret);
    assert.ok(!fault.detail.includes(secret) && others.length === 0);
  }
  assert.deepEqual(faultsOf("hex", "0123456789abcdef".repeat(2)), []);
});

Deno.test("the check lets a connector be saved that is not enabled yet: the sender wants its URL first", () => {
  assert.deepEqual(webhook.faultsOf({ config: { preset: "stripe" }, secrets: {} }, false), []);
  assert.deepEqual(webhook.faultsOf({ config: {}, secrets: {} }, false), []);
});
