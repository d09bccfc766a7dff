import assert from "node:assert/strict";
import { type Delivery, SignatureError } from "../kit/mod.ts";
import { gitea } from "./mod.ts";
import { deliveryOf, draftsOf, PUSH, RECEIVED_AT, SECRET, signatureOf } from "./testing.ts";

const BODY = JSON.stringify(PUSH);
const FORM = new URLSearchParams({ payload: BODY }).toString();
const EVENT = { "x-gitea-event": "push" };
const AS_FORM = { ...EVENT, "content-type": "application/x-www-form-urlencoded" };
const receiver = gitea.open({ config: {}, secrets: { webhookSecret: SECRET } });

/** Why a delivery is refused, or `undefined`. */
function faultOf(delivery: Delivery): string | undefined {
  try {
    receiver.receive(delivery);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof SignatureError, String(error));
    assert.ok(!error.message.includes(SECRET));
    return error.fault;
  }
}

Deno.test("gitea accepts a signature over the raw body, of Gitea or of Forgejo alone", () => {
  for (const name of ["x-gitea-signature", "x-forgejo-signature"]) {
    assert.equal(faultOf(deliveryOf(BODY, { ...EVENT, [name]: signatureOf(BODY) })), undefined);
    assert.equal(faultOf(deliveryOf(`${BODY} `, { ...EVENT, [name]: signatureOf(BODY) })), "mismatch");
  }
  // A webhook without a secret sends the header empty.
  assert.equal(faultOf(deliveryOf(BODY, { ...EVENT, "x-gitea-signature": "" })), "missing");
  assert.equal(faultOf(deliveryOf(BODY, EVENT)), "missing");
});

Deno.test("gitea checks a form by what its payload holds, for that is what Gitea signs", () => {
  const drafts = draftsOf(deliveryOf(FORM, { ...AS_FORM, "x-gitea-signature": signatureOf(BODY) }));
  assert.deepEqual(drafts.map(({ type }) => type), ["gitea.commit.pushed"]);
  assert.equal(faultOf(deliveryOf(FORM, { ...AS_FORM, "x-gitea-signature": signatureOf(FORM) })), "mismatch");
  assert.equal(faultOf(deliveryOf(BODY, { ...AS_FORM, "x-gitea-signature": signatureOf(BODY) })), "mismatch");
});

Deno.test("gitea takes of a form that names its payload twice the one that was signed", () => {
  const evil = new URLSearchParams([["payload", BODY], ["payload", BODY.replace("Mend", "Bend")]]).toString();
  const [draft] = draftsOf(deliveryOf(evil, { ...AS_FORM, "x-gitea-signature": signatureOf(BODY) }));
  assert.equal(draft?.subject.name, "Mend it");
  const other = new URLSearchParams([["payload", "{}"], ["payload", BODY]]).toString();
  assert.equal(faultOf(deliveryOf(other, { ...AS_FORM, "x-gitea-signature": signatureOf(BODY) })), "mismatch");
});

Deno.test("gitea signs forms and JSON as it verifies them", () => {
  for (const [text, headers] of [[BODY, EVENT], [FORM, AS_FORM]] as const) {
    const signed = receiver.sign(deliveryOf(text, headers));
    assert.equal(signed.get("x-gitea-signature"), signatureOf(BODY));
    assert.equal(faultOf(deliveryOf(text, Object.fromEntries(signed))), undefined);
  }
});

Deno.test("gitea knows a delivery by its id, whichever of the two names it stands under", () => {
  const idOf = (headers: Record<string, string>) =>
    receiver.receive(deliveryOf(BODY, { ...EVENT, ...headers, "x-gitea-signature": signatureOf(BODY) })).deliveryId;
  assert.equal(idOf({ "x-gitea-delivery": "a-delivery" }), "a-delivery");
  assert.equal(idOf({ "x-forgejo-delivery": "a-delivery" }), "a-delivery");
  assert.match(idOf({}), /^sha256:/);
});

Deno.test("gitea refuses what is not signed before it reads a body", () => {
  assert.throws(() => receiver.refuseUnsigned(new Headers(AS_FORM), RECEIVED_AT), SignatureError);
  receiver.refuseUnsigned(new Headers({ ...AS_FORM, "x-gitea-signature": signatureOf(BODY) }), RECEIVED_AT);
});
