import { deepEqual, equal, notEqual, throws } from "node:assert/strict";
import { EVENT_TYPE_PATTERN } from "@inlet/events-core";
import { githubEventTypes, githubPayloadSchemas } from "@inlet/github-events";
import { z } from "zod";
import { type Delivery, MalformedBodyError, ShapeError, SignatureError } from "../kit/mod.ts";
import { github } from "./mod.ts";
import {
  delivery,
  draftsOf,
  normalized,
  RECEIVED_AT,
  REPOSITORY,
  SECRET,
  SENDER,
  signature,
  signed,
} from "./testing.ts";

const star = { action: "created", starred_at: "2026-03-02T15:17:36Z", repository: REPOSITORY, sender: SENDER };

// https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
const vector = {
  body: new TextEncoder().encode("Hello, World!"),
  signature: "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
};

function vectorDelivery(signature: string): Delivery {
  const headers = new Headers({ "x-hub-signature-256": signature, "x-github-event": "star" });
  return { headers, body: vector.body, receivedAt: RECEIVED_AT };
}

Deno.test("the connector accepts the signature of GitHub's own test vector", () => {
  equal(signature(vector.body), vector.signature);
  // The vector's body is not JSON: that this is what is refused shows that the signature was not.
  throws(() => draftsOf(vectorDelivery(vector.signature)), MalformedBodyError);
});

Deno.test("the connector refuses GitHub's test vector with one digit changed", () => {
  const changed = vector.signature.replace(/7$/, "8");
  throws(
    () => draftsOf(vectorDelivery(changed)),
    (error) => error instanceof SignatureError && error.fault === "mismatch",
  );
});

Deno.test("the connector refuses a body of which one byte changed after signing", () => {
  const it = delivery("star", star);
  it.body[it.body.length - 1] = 0x20;
  throws(() => draftsOf(it), (error) => error instanceof SignatureError && error.fault === "mismatch");
});

Deno.test("the connector refuses a delivery without X-Hub-Signature-256, though it has the old SHA-1 header", () => {
  const it = delivery("star", star);
  it.headers.delete("x-hub-signature-256");
  it.headers.set("x-hub-signature", "sha1=0123456789abcdef0123456789abcdef01234567");
  throws(() => draftsOf(it), (error) => error instanceof SignatureError && error.fault === "missing");
});

Deno.test("the connector reads a form-encoded body as it reads the same body in JSON", () => {
  const headers = { "x-github-event": "star", "content-type": "application/x-www-form-urlencoded" };
  const told = { ...star, sender: { ...SENDER, login: "ümlaut & co = 100 % + €" } };
  const form = new URLSearchParams({ payload: JSON.stringify(told) }).toString();
  const drafts = draftsOf(signed(form, headers));
  equal(drafts.length, 1);
  deepEqual(drafts, normalized("star", told));
  const withCharset = { ...headers, "content-type": "Application/X-WWW-Form-Urlencoded; charset=utf-8" };
  deepEqual(draftsOf(signed(form, withCharset)), drafts);
});

Deno.test("the connector refuses a form without the field payload", () => {
  const headers = { "x-github-event": "star", "content-type": "application/x-www-form-urlencoded" };
  throws(() => draftsOf(signed("body={}", headers)), MalformedBodyError);
});

Deno.test("a ping is authentic and becomes no event", () => {
  deepEqual(normalized("ping", { zen: "Practicality beats purity.", hook_id: 1, repository: REPOSITORY }), []);
});

Deno.test("a delivery without X-GitHub-Event is refused, and the refusal names the header", () => {
  throws(
    () => draftsOf(signed(JSON.stringify(star), {})),
    (error) => error instanceof ShapeError && /X-GitHub-Event/.test(error.message) && error.faults.length === 1,
  );
});

Deno.test("the event is what the header says, whatever the body looks like", () => {
  const both = { ...star, issue: { id: 1 }, ref: "refs/heads/main", commits: [] };
  deepEqual(normalized("star", both).map(({ type }) => type), ["github.star.created"]);
  deepEqual(normalized("watch", { ...both, action: "started" }).map(({ type }) => type), ["github.watch.started"]);
});

Deno.test("the delivery id is GitHub's, so that a redelivery has the same", () => {
  const receiver = github.open({ config: {}, secrets: { webhookSecret: SECRET } });
  equal(receiver.receive(delivery("star", star)).deliveryId, "a-delivery");
});

Deno.test("ignoreBots drops what a bot did and nothing else", () => {
  const bot = { id: 9, login: "renovate[bot]", type: "Bot" };
  equal(normalized("star", { ...star, sender: bot }).length, 1);
  equal(normalized("star", { ...star, sender: bot }, { ignoreBots: true }).length, 0);
  equal(normalized("star", star, { ignoreBots: true }).length, 1);
  equal(normalized("star", { ...star, sender: null }, { ignoreBots: true }).length, 1);
});

Deno.test("ignoreBots does not hide that a body is of the wrong shape", () => {
  const body = { ...star, sender: { id: 9, login: "x", type: "Bot" }, repository: 1 };
  throws(() => normalized("star", body, { ignoreBots: true }), ShapeError);
});

// `throws` cannot tell by class: ZodError has no prototype chain.
const isZodError = (error: unknown): boolean => error instanceof z.ZodError;

Deno.test("settings: the secret is required and long enough, and bots are not ignored by default", () => {
  throws(() => github.open({ config: {}, secrets: {} }), isZodError);
  throws(() => github.open({ config: {}, secrets: { webhookSecret: "short" } }), isZodError);
  throws(() => github.open({ config: { ignoreBot: true }, secrets: { webhookSecret: SECRET } }), isZodError);
  deepEqual(github.configSchema.parse({}), { ignoreBots: false });
});

Deno.test("settings: each is described, for the dashboard draws its form from them", () => {
  for (const field of [...Object.values(github.configSchema.shape), ...Object.values(github.secretsSchema.shape)]) {
    notEqual(z.toJSONSchema(z.object({ field })).properties?.field, undefined);
    equal(typeof z.globalRegistry.get(field)?.description, "string");
  }
});

Deno.test("triggers are unique event types of GitHub, each with a payload schema", () => {
  const { triggers } = github.manifest;
  deepEqual([...triggers], [...githubEventTypes]);
  equal(new Set(triggers).size, triggers.length);
  for (const trigger of triggers) {
    equal(EVENT_TYPE_PATTERN.test(trigger), true, trigger);
    equal(trigger.startsWith("github."), true, trigger);
    equal(trigger in githubPayloadSchemas, true, trigger);
  }
});
