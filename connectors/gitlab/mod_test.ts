import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { exampleSettings } from "../kit/fixtures.ts";
import { type Delivery, SignatureError } from "../kit/mod.ts";
import { gitlab } from "./mod.ts";
import { deliveryOf, PUSH, RECEIVED_AT, TOKEN } from "./testing.ts";

const { secrets: { signingToken } } = await exampleSettings(gitlab);
const BODY = JSON.stringify(PUSH);

/** What npm `standardwebhooks`, the reference, makes of it. */
function signatureOf(body: string, id: string, at: Date): Record<string, string> {
  const signature = new Webhook(String(signingToken)).sign(id, at, body);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
}

/** Opens the connector, and tells the id that a delivery gets or why it is refused. */
function outcomeOf(secrets: Record<string, unknown>, delivery: Delivery): string {
  try {
    return gitlab.open({ config: {}, secrets }).receive(delivery).deliveryId;
  } catch (error) {
    assert.ok(error instanceof SignatureError, String(error));
    for (const secret of [TOKEN, String(signingToken)]) assert.ok(!error.message.includes(secret));
    return error.fault;
  }
}

Deno.test("gitlab accepts what the reference library of Standard Webhooks signs with a signing token", () => {
  const headers = signatureOf(BODY, "a-delivery", RECEIVED_AT);
  assert.equal(outcomeOf({ signingToken }, deliveryOf(BODY, headers)), "a-delivery");
  assert.equal(outcomeOf({ signingToken }, deliveryOf(`${BODY} `, headers)), "mismatch");
  const old = signatureOf(BODY, "a-delivery", new Date(RECEIVED_AT.getTime() - 301_000));
  assert.equal(outcomeOf({ signingToken }, deliveryOf(BODY, old)), "stale");
});

Deno.test("gitlab takes no plain token for a signature once a signing token is set", () => {
  const secrets = { signingToken, secretToken: TOKEN };
  assert.equal(outcomeOf(secrets, deliveryOf(BODY, { "x-gitlab-token": TOKEN })), "missing");
  const refuse = () =>
    gitlab.open({ config: {}, secrets }).refuseUnsigned(new Headers({ "x-gitlab-token": TOKEN }), RECEIVED_AT);
  assert.throws(refuse, SignatureError);
  const both = { ...signatureOf(BODY, "a-delivery", RECEIVED_AT), "x-gitlab-token": TOKEN };
  assert.equal(outcomeOf(secrets, deliveryOf(BODY, both)), "a-delivery");
  const forged = { ...both, "webhook-signature": `v1,${"A".repeat(43)}=` };
  assert.equal(outcomeOf(secrets, deliveryOf(BODY, forged)), "mismatch");
});

Deno.test("gitlab compares the plain token where there is no signing token", () => {
  const secrets = { secretToken: TOKEN };
  const headers = { "idempotency-key": "a-delivery", "x-gitlab-event-uuid": "shared by a recursion" };
  assert.equal(outcomeOf(secrets, deliveryOf(BODY, { ...headers, "x-gitlab-token": TOKEN })), "a-delivery");
  assert.equal(outcomeOf(secrets, deliveryOf(BODY, headers)), "missing");
  assert.equal(outcomeOf(secrets, deliveryOf(BODY, { ...headers, "x-gitlab-token": "" })), "missing");
  for (const wrong of [TOKEN.slice(1), `${TOKEN}!`, TOKEN.toUpperCase()]) {
    assert.equal(outcomeOf(secrets, deliveryOf(BODY, { ...headers, "x-gitlab-token": wrong })), "mismatch", wrong);
  }
  const signed = gitlab.open({ config: {}, secrets }).sign(deliveryOf(BODY, headers));
  assert.equal(outcomeOf(secrets, deliveryOf(BODY, Object.fromEntries(signed))), "a-delivery");
});

Deno.test("gitlab knows a delivery of a version that names none by its body", () => {
  const id = outcomeOf({ secretToken: TOKEN }, deliveryOf(BODY, { "x-gitlab-token": TOKEN }));
  assert.match(id, /^sha256:/);
});

Deno.test("gitlab wants one of its secrets to be enabled, and says where", () => {
  const faultsOf = (secrets: Record<string, unknown>) =>
    gitlab.faultsOf({ config: {}, secrets }, true).map(({ pointer }) => pointer);
  assert.deepEqual(faultsOf({}), ["/secrets/signingToken"]);
  assert.deepEqual(faultsOf({ signingToken: "whsec_short" }), ["/secrets/signingToken"]);
  assert.deepEqual(faultsOf({ secretToken: "short" }), ["/secrets/secretToken"]);
  assert.deepEqual([faultsOf({ signingToken }), faultsOf({ secretToken: TOKEN })], [[], []]);
  assert.deepEqual(gitlab.faultsOf({ config: {}, secrets: {} }, false), []);
  assert.equal(outcomeOf({}, deliveryOf(BODY, { "x-gitlab-token": TOKEN })), "unset");
});
