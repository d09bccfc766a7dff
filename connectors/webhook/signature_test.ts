import fc from "fast-check";
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { SignatureError } from "../kit/mod.ts";
import { webhook } from "./mod.ts";
import { ARRIVAL, opened, request, SECRET } from "./testing.ts";

const BODY = '{"type":"rover.moved"}';
const TIME = String(ARRIVAL.getTime() / 1000);
const hmac = (signed: string, encoding: "hex" | "base64" = "hex", algorithm = "sha256") =>
  createHmac(algorithm, SECRET).update(signed).digest(encoding);

/** What a sender's request comes to: `authentic`, or the fault. */
function faultOf(config: Record<string, unknown>, headers: Record<string, string> | Headers, body = BODY): string {
  const receiver = opened(config);
  const delivery = { ...request({}, body), headers: new Headers(headers) };
  try {
    receiver.receive(delivery);
    return "authentic";
  } catch (error) {
    assert.ok(error instanceof SignatureError, String(error));
    for (const said of [SECRET, ...delivery.headers.values()]) {
      assert.ok(said.length < 8 || !error.message.includes(said), "the message quotes what was sent");
    }
    return error.fault;
  }
}

const plain = { signatureHeader: "X-Signature" };
const list = { ...plain, signatureList: "comma", signaturePrefix: "v1=", signedContent: "{timestamp}.{body}" };
const listed = { ...list, timestamp: "header:X-Signature#t" };

for (
  const [name, config, headers] of [
    ["the body in hex", plain, { "x-signature": hmac(BODY) }],
    ["a prefix", { ...plain, signaturePrefix: "sha256=" }, { "x-signature": `sha256=${hmac(BODY)}` }],
    ["base64 and SHA-512", { ...plain, algorithm: "sha512", encoding: "base64" }, {
      "x-signature": hmac(BODY, "base64", "sha512"),
    }],
    ["words around the body", { ...plain, signedContent: "v0:{body}:end" }, { "x-signature": hmac(`v0:${BODY}:end`) }],
    ["a time in a header of its own", {
      ...plain,
      signedContent: "{timestamp}{body}",
      timestamp: "header:X-Time",
      timestampFormat: "rfc3339",
    }, { "x-time": ARRIVAL.toISOString(), "x-signature": hmac(`${ARRIVAL.toISOString()}${BODY}`) }],
    ["a time in the signature's list", listed, { "x-signature": `t=${TIME},v1=${hmac(`${TIME}.${BODY}`)}` }],
    ["a list with blanks and odd parts", listed, {
      "x-signature": `,, v2=zz ,v1=00, =,v1, t=${TIME} , v1=${hmac(`${TIME}.${BODY}`)},x=y`,
    }],
    ["id and time", {
      ...plain,
      signedContent: "{id}|{timestamp}|{body}",
      timestamp: "header:x-time",
      deliveryId: "header:x-id",
    }, { "x-id": "d-1", "x-time": TIME, "x-signature": hmac(`d-1|${TIME}|${BODY}`) }],
  ] as const
) {
  Deno.test(`a signature over ${name} is accepted, and with its last digit changed refused`, () => {
    assert.equal(faultOf(config, headers), "authentic");
    assert.equal(faultOf(config, headers, `${BODY} `), "mismatch");
    assert.equal(faultOf(config, {}), "missing");
  });
}

for (
  const [name, config, headers, fault] of [
    ["an empty header", plain, { "x-signature": "" }, "missing"],
    ["no prefix where there is one", { ...plain, signaturePrefix: "v1=" }, { "x-signature": hmac(BODY) }, "malformed"],
    ["base64 where hex is due", plain, { "x-signature": hmac(BODY, "base64") }, "malformed"],
    ["a signature cut short", plain, { "x-signature": hmac(BODY).slice(2) }, "malformed"],
    ["two signatures where one is due", plain, { "x-signature": `${hmac(BODY)}, ${hmac(BODY)}` }, "malformed"],
    ["a list without a time", listed, { "x-signature": `v1=${hmac(BODY)}` }, "malformed"],
    ["an empty time", listed, { "x-signature": `t=,v1=${hmac(`.${BODY}`)}` }, "malformed"],
    ["two times", listed, { "x-signature": `t=${TIME},t=1,v1=${hmac(`${TIME}.${BODY}`)}` }, "malformed"],
    ["a time that is none", listed, { "x-signature": `t=soon,v1=${hmac(`soon.${BODY}`)}` }, "malformed"],
    ["an old time", listed, { "x-signature": `t=1,v1=${hmac(`1.${BODY}`)}` }, "stale"],
    ["no signature in the list", listed, { "x-signature": `t=${TIME}` }, "malformed"],
    ["a list without any =", listed, { "x-signature": "a,b,c" }, "malformed"],
    ["the right signature after sixteen others", listed, {
      "x-signature": `t=${TIME},${`v1=${"0".repeat(64)},`.repeat(16)}v1=${hmac(`${TIME}.${BODY}`)}`,
    }, "mismatch"],
    ["a header of 1 MB", listed, { "x-signature": `t=${TIME},${"v1=00,".repeat(170_000)}` }, "malformed"],
  ] as const
) {
  Deno.test(`refused as ${fault}: ${name}`, () => assert.equal(faultOf(config, headers), fault));
}

Deno.test("the headers alone refuse what no body can mend, and let a mismatch pass", () => {
  const receiver = opened(listed);
  const refused = (value: string) => () => receiver.refuseUnsigned(new Headers({ "x-signature": value }), ARRIVAL);
  for (const value of ["", "t=1", `t=1,v1=${"0".repeat(64)}`, `t=${TIME}`, `t=${TIME},v1=0`]) {
    assert.throws(refused(value), SignatureError, value);
  }
  refused(`t=${TIME},v1=${"0".repeat(64)}`)();
});

Deno.test("settings that cannot verify refuse everything, and never sign", () => {
  for (const config of [{}, { ...plain, signedContent: "nothing" }, { ...plain, secretEncoding: "hex" }]) {
    const receiver = webhook.open({ config, secrets: { signingSecret: SECRET } });
    const delivery = request({ "x-signature": hmac(BODY) }, BODY);
    assert.throws(() => receiver.receive(delivery), { name: "SignatureError", fault: "unset" });
    assert.deepEqual([...receiver.sign(request({}, BODY))], []);
  }
});

Deno.test("any header's value is refused in words, whichever way the settings read it", () => {
  const value = fc.oneof(
    fc.string({ unit: "grapheme-ascii" }),
    fc.array(fc.constantFrom("t=", "v1=", ",", "=", "__proto__=", TIME, "0".repeat(64), " ", "#"), { maxLength: 20 })
      .map((parts) => parts.join("")),
  );
  const configs = [plain, { ...plain, signatureList: "space" }, listed, { ...listed, timestampFormat: "rfc3339" }];
  fc.assert(
    fc.property(value, fc.constantFrom(...configs), (value, config) => {
      assert.notEqual(faultOf(config, { "x-signature": value }), "authentic");
    }),
    { numRuns: 2000 },
  );
});

const linear = { preset: "linear" };
const linearBody = (webhookTimestamp: unknown) => JSON.stringify({ type: "Issue", webhookTimestamp });
const linearSigned = (body: string) => ({ "linear-signature": hmac(body) });

Deno.test("a time in the body is read once the signature is proven, and a body without one is refused", () => {
  const old = linearBody(1);
  assert.equal(faultOf(linear, { "linear-signature": "0".repeat(64) }, old), "mismatch");
  assert.equal(faultOf(linear, linearSigned(old), old), "stale");
  const inTime = linearBody(ARRIVAL.getTime() - 60_000);
  assert.equal(faultOf(linear, linearSigned(inTime), inTime), "authentic");
  const none = '{"type":"Issue"}';
  assert.equal(faultOf(linear, linearSigned(none), none), "missing");
});

Deno.test("a proven body that is not JSON is refused as that, though it has no time", () => {
  const receiver = opened(linear);
  assert.throws(() => receiver.receive(request(linearSigned("not JSON"), "not JSON")), { name: "MalformedBodyError" });
});

Deno.test("what was signed here with an old body is of the present, and cannot be sent again later", () => {
  const old = linearBody(1);
  const headers = opened(linear).sign(request({}, old));
  const at = (offMs: number) => () =>
    opened(linear).receive({ ...request({}, old, new Date(ARRIVAL.getTime() + offMs)), headers });
  assert.equal(at(60_000)().drafts.length, 1);
  assert.throws(at(61_000), { name: "SignatureError", fault: "stale" });
  assert.throws(at(-61_000), { name: "SignatureError", fault: "stale" });
});

Deno.test("the header of what was signed here cannot be made, moved or lent to another body", () => {
  const old = linearBody(1);
  const ours = opened(linear).sign(request({}, old)).get("inlet-signed") ?? assert.fail();
  const withOurs = (value: string, body = old) =>
    faultOf(linear, { ...linearSigned(body), "inlet-signed": value }, body);
  assert.equal(withOurs(ours), "authentic");
  assert.equal(withOurs(ours, linearBody(2)), "mismatch");
  assert.equal(withOurs(ours.replace(/t=\d+/, `t=${Number(TIME) + 1}`)), "mismatch");
  assert.equal(withOurs(`t=${TIME},v1=${hmac(`${TIME}.${old}`)}`), "mismatch", "the sender's own key does not make it");
  assert.equal(withOurs(`${ours},t=1`), "malformed");
  assert.equal(withOurs(""), "malformed");
});

Deno.test("signing adds the time to a list that the request has already, and leaves the rest of it", () => {
  const receiver = opened({
    ...plain,
    signedContent: "{timestamp}.{body}",
    timestamp: "header:x-meta#at",
    deliveryId: "header:x-meta#id",
  });
  const unsigned = request({ "x-meta": "id=7" }, BODY);
  const headers = receiver.sign(unsigned);
  assert.equal(headers.get("x-meta"), `id=7,at=${TIME}`);
  assert.equal(receiver.receive({ ...unsigned, headers }).deliveryId, "7");
});

Deno.test("a request that was signed before can be signed anew, at another time", () => {
  const receiver = opened(listed);
  const headers = receiver.sign({ ...request({}, BODY), headers: new Headers({ "x-signature": "t=1,v1=00" }) });
  assert.equal(headers.get("x-signature"), `t=${TIME},v1=${hmac(`${TIME}.${BODY}`)}`);
});

const sender = fc.record({
  signatureHeader: fc.constantFrom("X-Signature", "x-sig"),
  signatureList: fc.constantFrom("single", "comma", "space"),
  signaturePrefix: fc.constantFrom("", "v1=", "v1,", "sha256=", "t="),
  algorithm: fc.constantFrom("sha256", "sha512"),
  encoding: fc.constantFrom("hex", "base64"),
  signedContent: fc.constantFrom("{body}", "{timestamp}.{body}", "{id}.{timestamp}.{body}", "{body}{id}", "{other}"),
  secretEncoding: fc.constantFrom("utf8", "whsec", "base64", "hex"),
  timestamp: fc.constantFrom("", "header:x-time", "header:x-signature#t", "header:x-meta#at", "/sentAt"),
  timestampFormat: fc.constantFrom("seconds", "milliseconds", "rfc3339"),
  deliveryId: fc.constantFrom("", "header:x-id", "header:x-meta#id", "/id", "/id header:x-id"),
  occurredAt: fc.constantFrom("", "header:x-time", "header:x-signature", "/at"),
}, { requiredKeys: [] });

Deno.test("whatever settings the check lets pass, what is signed with them is accepted and nothing else", () => {
  let accepted = 0;
  fc.assert(
    fc.property(sender, fc.jsonValue(), (config, value) => {
      const settings = { config, secrets: { signingSecret: SECRET } };
      if (webhook.faultsOf(settings, true).length > 0) return;
      accepted++;
      const receiver = webhook.open(settings);
      const unsigned = request({}, JSON.stringify(value));
      const headers = receiver.sign(unsigned);
      const signed = { ...unsigned, headers };
      const first = receiver.receive(signed);
      receiver.refuseUnsigned(headers, ARRIVAL);
      const again = { ...unsigned, headers: receiver.keptHeaders(headers) };
      assert.deepEqual(receiver.receive({ ...again, headers: receiver.sign(again) }), first, "it can be replayed");
      assert.throws(() => receiver.receive(unsigned), SignatureError);
      const other = new TextEncoder().encode(`${JSON.stringify(value)} `);
      assert.throws(() => receiver.receive({ ...signed, body: other }), SignatureError);
      const stranger = webhook.open({ ...settings, secrets: { signingSecret: SECRET.replace("MfKQ", "AAAA") } });
      assert.throws(() => stranger.receive(signed), SignatureError);
    }),
    { numRuns: 3000 },
  );
  assert.ok(accepted > 100, `${accepted} settings were tried`);
});
