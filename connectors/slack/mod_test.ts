import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { slackEventTypes } from "@inlet/slack-events";
import { verifySlackRequest } from "slack-edge";
import { type Delivery, MalformedBodyError, ShapeError, SignatureError } from "../kit/mod.ts";
import { slack } from "./mod.ts";
import { enveloped, form, interaction, json, received, RECEIVED_AT, SECRET, signed } from "./testing.ts";

// https://docs.slack.dev/authentication/verifying-requests-from-slack#validating-a-request
const PUBLISHED = {
  timestamp: 1531420618,
  body: "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V" +
    "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=" +
    "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN" +
    "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
  signature: "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
};

function published(secondsLater = 0, signature = PUBLISHED.signature): Delivery {
  const headers = new Headers({
    "content-type": "application/x-www-form-urlencoded",
    "x-slack-request-timestamp": String(PUBLISHED.timestamp),
    "x-slack-signature": signature,
  });
  const receivedAt = new Date((PUBLISHED.timestamp + secondsLater) * 1000);
  return { headers, body: new TextEncoder().encode(PUBLISHED.body), receivedAt };
}

function assertRefused(delivery: Delivery, fault: string): void {
  assert.throws(() => received(delivery), (error) => error instanceof SignatureError && error.fault === fault);
}

function unsigned({ headers, ...rest }: Delivery): Delivery {
  const named = ["x-slack-signature", "x-slack-request-timestamp"];
  return { ...rest, headers: new Headers([...headers].filter(([name]) => !named.includes(name))) };
}

const MESSAGE = { type: "message", channel: "C1", user: "U1", text: "hello", ts: "1700000000.000100" };

Deno.test("slack accepts Slack's published example, and reads the command in it", () => {
  const { drafts: [draft], deliveryId } = received(published());
  assert.equal(draft?.type, "slack.command.invoked");
  assert.equal(draft?.payload.command, "/webhook-collect");
  assert.equal(draft?.payload.text, "");
  assert.deepEqual(draft?.actor, { type: "user", id: "U2CERLKJA", name: "roadrunner" });
  assert.equal(deliveryId, "398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c");
});

Deno.test("slack refuses Slack's published example with a digit changed, and with another version", () => {
  assertRefused(published(0, PUBLISHED.signature.replace(/3$/, "4")), "mismatch");
  assertRefused(published(0, PUBLISHED.signature.replace("v0=", "v1=")), "malformed");
  assertRefused(published(0, ""), "missing");
});

Deno.test("slack refuses a time that is more than five minutes off, either way", () => {
  for (const seconds of [-300, 300]) assert.equal(received(published(seconds)).drafts.length, 1);
  for (const seconds of [-301, 301]) assertRefused(published(seconds), "stale");
});

Deno.test("slack refuses a signature that was made for another time", () => {
  const delivery = published(10);
  delivery.headers.set("x-slack-request-timestamp", String(PUBLISHED.timestamp + 10));
  assertRefused(delivery, "mismatch");
});

Deno.test("slack refuses a request without a time, and one whose time is none", () => {
  const delivery = json(enveloped(MESSAGE));
  delivery.headers.set("x-slack-request-timestamp", "yesterday");
  assertRefused(delivery, "malformed");
  delivery.headers.delete("x-slack-request-timestamp");
  assertRefused(delivery, "missing");
});

Deno.test("slack accepts the signature that node:crypto makes of the rule as Slack words it", () => {
  const body = JSON.stringify(enveloped({ ...MESSAGE, text: "Grüße 🌱" }));
  const timestamp = RECEIVED_AT.getTime() / 1000;
  const digest = createHmac("sha256", SECRET).update(`v0:${timestamp}:${body}`).digest("hex");
  const headers = new Headers({ "x-slack-request-timestamp": String(timestamp), "x-slack-signature": `v0=${digest}` });
  const delivery = { headers, body: new TextEncoder().encode(body), receivedAt: RECEIVED_AT };
  assert.equal(received(delivery).drafts.length, 1);
});

Deno.test("what slack signs is accepted by another library, and what is changed after it is not", async () => {
  const body = JSON.stringify(enveloped({ ...MESSAGE, text: "Grüße 🌱" }));
  const { headers } = signed(body, { "content-type": "application/json" }, new Date());
  assert.equal(await verifySlackRequest(SECRET, headers, body), true);
  assert.equal(await verifySlackRequest(SECRET, headers, body.replace("Grüße", "Grusse")), false);
});

Deno.test("slack answers the challenge of a URL, and makes no event of it", () => {
  const { drafts, reply } = received(json({ type: "url_verification", token: "t", challenge: 'a"b' }));
  assert.deepEqual(drafts, []);
  assert.equal(reply?.contentType, "application/json");
  assert.deepEqual(JSON.parse(reply?.body ?? ""), { challenge: 'a"b' });
  assert.throws(() => received(json({ type: "url_verification" })), ShapeError);
});

Deno.test("slack does not answer a challenge that is not signed", () => {
  const delivery = json({ type: "url_verification", challenge: "abc" });
  delivery.headers.delete("x-slack-signature");
  assertRefused(delivery, "missing");
});

Deno.test("slack answers interactions and commands with nothing, and leaves the answer to events to Inlet", () => {
  const nothing = { contentType: "text/plain", body: "" };
  assert.deepEqual(received(published()).reply, nothing);
  assert.deepEqual(received(interaction({ type: "shortcut", callback_id: "c", user: { id: "U1" } })).reply, nothing);
  assert.equal(received(json(enveloped(MESSAGE))).reply, undefined);
});

Deno.test("slack answers what asks for options with none", () => {
  const asking = ["block_suggestion", "dialog_suggestion", "interactive_message"];
  for (const type of asking) {
    const { drafts, reply } = received(interaction({ type, value: "be", user: { id: "U1" } }));
    assert.deepEqual([drafts, reply], [[], { contentType: "application/json", body: '{"options":[]}' }], type);
  }
});

Deno.test("slack answers a check of the certificate with nothing, signed or not", () => {
  const check = form({ token: "t", ssl_check: "1" });
  for (const delivery of [check, unsigned(check)]) {
    const { drafts, reply } = received(delivery);
    assert.deepEqual([drafts, reply], [[], { contentType: "text/plain", body: "" }]);
  }
});

Deno.test("slack answers nothing else that is not signed, and no check that is signed wrongly", () => {
  const check = { ssl_check: "1", token: "t" };
  assertRefused(unsigned(form({ ...check, ssl_check: "0" })), "missing");
  assertRefused(unsigned(form({ ...check, text: "x".repeat(200) })), "missing");
  assertRefused(unsigned(json(check)), "missing");
  assertRefused(unsigned(published()), "missing");
  const forged = form(check);
  forged.headers.set("x-slack-signature", `v0=${"0".repeat(64)}`);
  assertRefused(forged, "mismatch");
});

Deno.test("slack knows a retry by its event_id: same delivery id, same events", () => {
  const body = JSON.stringify(enveloped(MESSAGE));
  const retry = { "x-slack-retry-num": "2", "x-slack-retry-reason": "http_timeout" };
  const later = new Date(RECEIVED_AT.getTime() + 60_000);
  const first = received(signed(body, {}));
  const again = received(signed(body, retry, later));
  assert.equal(first.deliveryId, "Ev1");
  assert.deepEqual([again.deliveryId, again.drafts, again.reply], ["Ev1", first.drafts, first.reply]);
});

Deno.test("slack names a delivery without an id of Slack's by its body", () => {
  const closed = { type: "view_closed", user: { id: "U1" }, view: { id: "V1" } };
  const { deliveryId } = received(interaction(closed));
  assert.match(deliveryId, /^sha256:/);
  assert.equal(received(interaction(closed)).deliveryId, deliveryId);
  assert.notEqual(received(interaction({ ...closed, view: { id: "V2" } })).deliveryId, deliveryId);
});

Deno.test("slack refuses bodies that are not what they say, without quoting them", () => {
  const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
  const unreadable = { ...signed("", headers), body: new Uint8Array([0x61, 0xff]) };
  unreadable.headers = slack.open({ config: {}, secrets: { signingSecret: SECRET } })
    .sign({ ...unreadable, headers: new Headers(headers) });
  for (const delivery of [signed("payload=hush", headers), signed("hush", {}), unreadable]) {
    assert.throws(
      () => received(delivery),
      (error) => error instanceof MalformedBodyError && !error.message.includes("hush"),
    );
  }
  for (const body of [[], "x", null, {}, { type: "event_callback" }, enveloped({}), enveloped({ type: "message" })]) {
    assert.throws(() => received(json(body)), ShapeError);
  }
});

Deno.test("slack says where a body differs, from its root on", () => {
  assert.throws(
    () => received(json(enveloped({ ...MESSAGE, ts: 1700000000 }))),
    (error) => error instanceof ShapeError && error.faults[0]?.pointer === "/event/ts",
  );
});

Deno.test("ignoreBots drops what a bot did and nothing else", () => {
  const from = (author: Record<string, unknown>) => json(enveloped({ ...MESSAGE, user: undefined, ...author }));
  const bots = [{ bot_id: "B1" }, { bot_id: "B1", user: "U2" }, { user: "USLACKBOT" }];
  for (const bot of bots) {
    assert.equal(received(from(bot)).drafts[0]?.actor.type, "bot");
    assert.equal(received(from(bot), { ignoreBots: true }).drafts.length, 0);
  }
  for (const author of [{ user: "U1" }, {}]) {
    assert.equal(received(from(author), { ignoreBots: true }).drafts.length, 1);
  }
});

Deno.test("slack must have its signing secret to be enabled", () => {
  assert.deepEqual(slack.faultsOf({ config: {}, secrets: {} }, true), [
    { pointer: "/secrets/signingSecret", detail: "is required" },
  ]);
  assert.equal(slack.faultsOf({ config: {}, secrets: { signingSecret: "short" } }, true).length, 1);
  assert.deepEqual(slack.faultsOf({ config: {}, secrets: { signingSecret: SECRET } }, true), []);
});

Deno.test("slack's triggers are all of the package's types, and Slack waits three seconds", () => {
  assert.deepEqual(slack.manifest.triggers, slackEventTypes);
  assert.equal(slack.patienceMs, 3000);
});
