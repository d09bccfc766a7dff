import assert from "node:assert/strict";
import { z } from "zod";
import { MalformedBodyError, ShapeError, SignatureError } from "./errors.ts";
import { missing } from "./hmac.ts";
import { defineWebhook, type Delivery, type WebhookDefinition } from "./webhook.ts";

/** What a connector has at least; it trusts everybody, and tells of nothing. */
const BARE: WebhookDefinition<Record<never, never>, Record<never, never>> = {
  id: "bare",
  name: "Bare",
  description: "A connector for tests",
  documentationUrl: "https://example.com",
  payloads: {},
  descriptions: {},
  headers: [],
  config: {},
  secrets: {},
  verify: () => ({ authentic: true }),
  sign: () => ({}),
  deliveryId: () => null,
  normalize: () => [],
};

/** A connector that notes what was called, and trusts a header. */
function noting(calls: string[]) {
  return defineWebhook({
    id: "noting",
    name: "Noting",
    description: "A connector for tests",
    documentationUrl: "https://example.com",
    payloads: { "noting.thing.made": z.object({}) },
    descriptions: { "noting.thing.made": "It happened." },
    headers: ["x-id"],
    config: { kind: z.string().default("thing") },
    secrets: { key: z.string() },
    verify(delivery, { key }) {
      calls.push("verify");
      if (delivery.headers.get("x-key") === key) return { authentic: true };
      return { authentic: false, fault: "mismatch", detail: "the key differs" };
    },
    sign: (_, { key }) => ({ "x-key": key }),
    deliveryId: (_, { headers }) => headers.get("x-id"),
    normalize(body, { receivedAt }, { kind }) {
      calls.push("normalize");
      const { id } = z.object({ id: z.string() }).parse(body);
      const actor = { type: "user" as const, id: "1" };
      return [{ type: `noting.${kind}.made`, occurredAt: receivedAt, actor, subject: { type: kind, id }, payload: {} }];
    },
  });
}

function deliveryOf(body: string, headers: Record<string, string> = { "x-key": "k" }): Delivery {
  return { headers: new Headers(headers), body: new TextEncoder().encode(body), receivedAt: new Date(0) };
}

Deno.test("defineWebhook normalizes what it verified, with typed settings and their defaults", () => {
  const receiver = noting([]).open({ config: {}, secrets: { key: "k" } });
  const { deliveryId, drafts } = receiver.receive(deliveryOf('{"id":"7"}', { "x-key": "k", "x-id": "d" }));
  assert.equal(deliveryId, "d");
  assert.deepEqual(drafts.map(({ type, subject }) => [type, subject.id]), [["noting.thing.made", "7"]]);
});

Deno.test("defineWebhook reads nothing of an unverified body", () => {
  const calls: string[] = [];
  const receiver = noting(calls).open({ config: {}, secrets: { key: "other" } });
  assert.throws(() => receiver.receive(deliveryOf("{nope")), SignatureError);
  assert.deepEqual(calls, ["verify"]);
});

Deno.test("defineWebhook answers what a source does not sign, makes no event of it, and refuses the rest", () => {
  const connector = defineWebhook({
    ...BARE,
    verify: ({ headers }) =>
      headers.has("x-key") ? { authentic: false, fault: "mismatch", detail: "" } : missing("x-key"),
    unsigned: ({ body }) => body.length === 0 ? { contentType: "text/plain", body: "here" } : undefined,
    normalize: () => assert.fail("nobody vouches for it"),
  });
  const receiver = connector.open({ config: {}, secrets: {} });
  const { drafts, reply } = receiver.receive(deliveryOf("", {}));
  assert.deepEqual([drafts, reply?.body], [[], "here"]);
  for (const refused of [deliveryOf("{}", {}), deliveryOf("", { "x-key": "wrong" })]) {
    assert.throws(() => receiver.receive(refused), SignatureError);
  }
});

Deno.test("defineWebhook tells malformed bodies from wrong shapes", () => {
  const receiver = noting([]).open({ config: {}, secrets: { key: "k" } });
  assert.throws(() => receiver.receive(deliveryOf("{nope")), MalformedBodyError);
  assert.throws(() => receiver.receive(deliveryOf('{"id":7}')), (error) => {
    assert.ok(error instanceof ShapeError);
    assert.deepEqual(error.faults.map(({ pointer }) => pointer), ["/id"]);
    return true;
  });
});

Deno.test("defineWebhook knows a delivery without an id by the hash of its body", () => {
  const receiver = noting([]).open({ config: {}, secrets: { key: "k" } });
  const idOf = (body: string) => receiver.receive(deliveryOf(body)).deliveryId;
  assert.match(idOf('{"id":"7"}'), /^sha256:[0-9a-f]{64}$/);
  assert.equal(idOf('{"id":"7"}'), idOf('{"id":"7"}'));
  assert.notEqual(idOf('{"id":"7"}'), idOf('{"id":"7"} '));
});

Deno.test("defineWebhook refuses to open with settings that do not fit or are not known", () => {
  const connector = noting([]);
  for (
    const settings of [
      { config: { kind: 1 }, secrets: { key: "k" } },
      { config: { unknown: 1 }, secrets: { key: "k" } },
      { config: {}, secrets: {} },
    ]
  ) {
    assert.throws(() => connector.open(settings), { name: "ZodError" });
  }
});

Deno.test("defineWebhook signs so that its own verification accepts it", () => {
  const connector = noting([]);
  const unsigned = deliveryOf('{"id":"7"}', { "x-id": "d" });
  const receiver = connector.open({ config: {}, secrets: { key: "k" } });
  const headers = receiver.sign(unsigned);
  assert.deepEqual([...headers], [["x-id", "d"], ["x-key", "k"]]);
  assert.equal(receiver.receive({ ...unsigned, headers }).drafts.length, 1);
});

Deno.test("defineWebhook signs a request anew that has headers of an earlier signature", () => {
  const receiver = noting([]).open({ config: {}, secrets: { key: "k" } });
  const signedBefore = deliveryOf('{"id":"7"}', { "x-key": "an old key", "x-id": "d" });
  const headers = receiver.sign(signedBefore);
  assert.deepEqual(Object.fromEntries(headers), { "x-id": "d", "x-key": "k" });
  assert.equal(receiver.receive({ ...signedBefore, headers }).drafts.length, 1);
});

Deno.test("defineWebhook lets a connector read the headers that it names, and no others", () => {
  const seen: string[] = [];
  const connector = defineWebhook({
    ...BARE,
    headers: ["x-id"],
    deliveryId: (_, { headers }) => [...headers.keys()].join(),
    normalize: (_, { headers }) => {
      seen.push(...headers.keys());
      return [];
    },
  });
  const delivery = deliveryOf("{}", { "x-id": "d", "content-type": "application/json", authorization: "secret" });
  const receiver = connector.open({ config: {}, secrets: {} });
  assert.equal(receiver.receive(delivery).deliveryId, "content-type,x-id");
  assert.deepEqual(seen, ["content-type", "x-id"]);
  assert.deepEqual([...receiver.keptHeaders(delivery.headers).keys()], ["content-type", "x-id"]);
});

Deno.test("defineWebhook refuses by the headers alone what no body could make authentic", () => {
  const receiver = defineWebhook({
    ...BARE,
    verify: ({ headers }) =>
      headers.has("x-signed")
        ? { authentic: false, fault: "mismatch", detail: "differs" }
        : { authentic: false, fault: "missing", detail: "the signature is missing" },
  }).open({ config: {}, secrets: {} });
  assert.throws(() => receiver.refuseUnsigned(new Headers(), new Date(0)), /the signature is missing/);
  receiver.refuseUnsigned(new Headers({ "x-signed": "1" }), new Date(0));
});

Deno.test("defineWebhook answers a handshake that was verified, and makes no event of it", () => {
  const receiver = defineWebhook({
    id: "polite",
    name: "Polite",
    description: "A connector for tests",
    documentationUrl: "https://example.com",
    payloads: { "polite.thing.made": z.object({}) },
    descriptions: { "polite.thing.made": "It happened." },
    headers: ({ idHeader }) => [idHeader],
    config: { idHeader: z.string().default("x-id") },
    secrets: { key: z.string() },
    verify: ({ headers }, { key }, { idHeader }) =>
      headers.get("x-key") === `${key} ${idHeader}`
        ? { authentic: true }
        : { authentic: false, fault: "mismatch", detail: "the key differs" },
    sign: (_, { key }, { idHeader }) => ({ "x-key": `${key} ${idHeader}` }),
    deliveryId: (body, { headers }, { idHeader }) =>
      headers.get(idHeader) ?? z.object({ id: z.string() }).parse(body).id,
    handshake: (body) =>
      z.object({ hello: z.literal(true) }).safeParse(body).success
        ? { contentType: "text/plain", body: "hello" }
        : undefined,
    acknowledge: () => ({ contentType: "text/plain", body: "thanks" }),
    normalize: (_, { receivedAt }) => [{
      type: "polite.thing.made",
      occurredAt: receivedAt,
      actor: { type: "system", id: "polite" },
      subject: { type: "thing", id: "1" },
      payload: {},
    }],
  }).open({ config: { idHeader: "x-number" }, secrets: { key: "k" } });
  const signed = (body: string, headers: Record<string, string> = {}) => {
    const delivery = deliveryOf(body, headers);
    return { ...delivery, headers: receiver.sign(delivery) };
  };
  const asked = receiver.receive(signed('{"hello":true,"id":"7"}'));
  assert.deepEqual([asked.deliveryId, asked.drafts], ["7", []]);
  assert.deepEqual(asked.reply, { contentType: "text/plain", body: "hello" });
  const { deliveryId, drafts, reply, keptHeaders } = receiver.receive(signed("{}", { "x-number": "8", "x-id": "9" }));
  assert.deepEqual([deliveryId, drafts.length, reply?.body], ["8", 1, "thanks"]);
  assert.deepEqual([...keptHeaders], [["x-number", "8"]]);
  assert.throws(() => receiver.receive(deliveryOf('{"hello":true}')), SignatureError);
  assert.throws(() => receiver.receive(signed('{"id":7}')), (error) => {
    assert.ok(error instanceof ShapeError, "a wrong id is a wrong shape");
    return true;
  });
});
