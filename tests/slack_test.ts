/** Slack, end to end: what it sends to a real process arrives as events, each once, and it reads the answers it wants. */
import { type NormalizedEvent, normalizedEventSchema } from "@inlet/events-core";
import { isSlackEventType, slackPayloadSchemas } from "@inlet/slack-events";
import assert from "node:assert/strict";
import { z } from "zod";
import { fixtureNames, readFixture, readFixtureEvents } from "../connectors/kit/fixtures.ts";
import { acceptedSchema } from "./support/accepted.ts";
import { ForeignConsumer, type ReceivedMessage, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
import { InletProcess } from "./support/inlet.ts";
import { sign } from "./support/sign.ts";

const SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
const FORM = "application/x-www-form-urlencoded";

/** Slack's published example: rightly signed with that secret, in 2018. */
const PUBLISHED = {
  body: "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V" +
    "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=" +
    "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN" +
    "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
  headers: {
    "content-type": FORM,
    "x-slack-request-timestamp": "1531420618",
    "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
  },
};

interface Sent {
  readonly name: string;
  readonly contentType: string;
  readonly body: string;
  readonly events: readonly unknown[];
}

async function deliveries(): Promise<readonly Sent[]> {
  return await Promise.all((await fixtureNames("slack")).map(async (name) => {
    const { headers, body } = await readFixture("slack", name, `delivery-${name}`);
    const events = z.array(z.unknown()).parse(await readFixtureEvents("slack", name, `delivery-${name}`));
    return { name, contentType: headers.get("content-type") ?? "", body: new TextDecoder().decode(body), events };
  }));
}

/** Sends a body as Slack would now. */
async function send(
  url: string,
  body: string,
  contentType: string,
  more: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = `v0=${sign(SECRET, `v0:${timestamp}:${body}`)}`;
  const headers = { "x-slack-request-timestamp": timestamp, "x-slack-signature": signature, ...more };
  const response = await fetch(url, { method: "POST", headers: { "content-type": contentType, ...headers }, body });
  return { status: response.status, text: await response.text() };
}

/** The answer that Slack wants to read: nothing for what comes as a form, unless it asks. */
function assertAnswer({ name, contentType, events }: Sent, { status, text }: { status: number; text: string }): void {
  assert.ok(isAccepted(status), `${name}: ${status} ${text}`);
  if (name === "url_verification") {
    assert.deepEqual(JSON.parse(text), { challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P" });
  } else if (name === "block_suggestion") assert.equal(text, '{"options":[]}');
  else if (contentType === FORM) assert.equal(text, "", name);
  else {
    const { published, queued = 0 } = acceptedSchema.parse(JSON.parse(text));
    assert.equal(published + queued, events.length, name);
  }
}

/** Slack waits 3 s for an answer: where the broker takes longer, the answer is that the events are spooled. */
function isAccepted(status: number): boolean {
  return status === 200 || status === 202;
}

function eventOf({ routingKey, text, properties }: ReceivedMessage): NormalizedEvent {
  const event = normalizedEventSchema.parse(JSON.parse(text));
  assert.deepEqual([event.id, event.type, event.source], [properties.messageId, routingKey, "slack"]);
  assert.ok(isSlackEventType(event.type), event.type);
  assert.deepEqual(slackPayloadSchemas[event.type].parse(event.payload), event.payload);
  return event;
}

Deno.test("what Slack sends arrives as events, each once, and a retry brings none that was not there before", async () => {
  const amqpUrl = testAmqpUrl();
  const exchange = uniqueExchange();
  await using consumer = await ForeignConsumer.bind(amqpUrl, exchange, "slack.#");
  await using inlet = await InletProcess.start({ env: { AMQP_URL: amqpUrl, AMQP_EXCHANGE: exchange } });
  const workspaceId = await inlet.setUp();
  const url = await inlet.enable(workspaceId, "slack", { signingSecret: SECRET });
  const all = await deliveries();
  const expected = all.flatMap(({ events }) => events);
  assert.ok(all.length >= 20 && expected.length >= 20);

  for (const each of all) assertAnswer(each, await send(url, each.body, each.contentType));
  const events = (await consumer.untilDifferent(expected.length)).map(eventOf);
  const told = z.array(z.object({ type: z.string(), subject: z.unknown() }));
  assert.deepEqual(told.parse(events), told.parse(expected));
  const ids = new Set(events.map(({ id }) => id));
  assert.equal(ids.size, expected.length, "every id is unique");

  const command = events.find(({ type }) => type === "slack.command.invoked");
  assert.equal(command?.payload.text, "bed 6 + 10 litres = Grün");

  const retry = { "x-slack-retry-num": "1", "x-slack-retry-reason": "http_timeout" };
  for (const { name, body, contentType } of all) {
    assert.ok(isAccepted((await send(url, body, contentType, retry)).status), name);
  }
  const last = "command=%2Flast&user_id=U1&trigger_id=last";
  assert.equal((await send(url, last, FORM)).status, 200);
  const isLast = (message: ReceivedMessage) => eventOf(message).payload.command === "/last";
  while (!consumer.messages.some(isLast)) await consumer.until(consumer.messages.length + 1);
  const repeated = consumer.messages.slice(expected.length).filter((message) => !isLast(message));
  for (const { properties } of repeated) assert.ok(ids.has(properties.messageId), "a retry keeps its ids");
});

Deno.test("what is not Slack's, or is old, is refused with 401, and nothing secret is in the log", async () => {
  await using inlet = await InletProcess.start();
  const url = await inlet.enable(await inlet.setUp(), "slack", { signingSecret: SECRET });
  const statusOf = async (body: string, headers: Record<string, string>) => {
    const response = await fetch(url, { method: "POST", headers, body });
    return [response.status, await response.text()] as const;
  };

  const [stale, explained] = await statusOf(PUBLISHED.body, PUBLISHED.headers);
  assert.equal(stale, 401);
  assert.match(explained, /x-slack-request-timestamp is \d+ s old, and 300 s are allowed/);
  const now = String(Math.floor(Date.now() / 1000));
  const [forged] = await statusOf(PUBLISHED.body, { ...PUBLISHED.headers, "x-slack-request-timestamp": now });
  assert.equal(forged, 401, "an old signature does not fit a new time");
  const challenge = JSON.stringify({ type: "url_verification", challenge: "hush" });
  const [unsigned, answer] = await statusOf(challenge, { "content-type": "application/json" });
  assert.equal(unsigned, 401);
  assert.ok(!answer.includes("hush"), "an unsigned challenge is not answered");

  const check = await statusOf("ssl_check=1&token=xyzz0WbapA4vBCDEFasx0q6G", { "content-type": FORM });
  assert.deepEqual(check, [200, ""], "a check of the certificate need not be signed");

  const { status, text } = await send(url, PUBLISHED.body, FORM);
  assert.deepEqual([status, text], [200, ""], "the same body, signed now, is accepted");

  const { output } = await inlet.stop();
  assert.match(output, /accepted "slack" delivery/);
  const token = url.split("/").at(-1) ?? assert.fail();
  for (
    const secret of [SECRET, token, "a2114d57", "xyzz0WbapA4vBCDEFasx0q6G", "roadrunner", "96rGlfmibIGlgcZRskXaIFfN"]
  ) {
    assert.ok(!output.includes(secret), `the log holds ${secret}`);
  }
});
