import { normalizedEventSchema } from "@inlet/events-core";
import assert from "node:assert/strict";
import type { Connector, EventDraft } from "../../connectors/kit/mod.ts";
import type { Exchange } from "../deps.ts";
import { BrokerUnavailableError } from "../errors.ts";
import { sample, SAMPLE_SECRET, sampleDelivery, signedSample } from "../../tests/support/sample.ts";
import { TestService } from "../../tests/support/service.ts";
import { sign } from "../../tests/support/sign.ts";

/** Enables the sample connector and gives a way to deliver to it. */
async function enabled(service: TestService, config: Record<string, unknown> = {}) {
  const workspaceId = await service.setUp();
  const path = await service.enableSample(workspaceId, config);
  const deliver = (init: RequestInit) => service.app.request(path, { method: "POST", ...init });
  return { workspaceId, path, deliver };
}

Deno.test("a signed delivery is normalized, stamped and published in order", async () => {
  await using service = await TestService.start();
  const { workspaceId, deliver } = await enabled(service);
  const response = await deliver(sampleDelivery(["one", "two"]));
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { ok: true, published: 2 });
  const events = service.published.map(({ event, json }) => {
    assert.deepEqual(JSON.parse(json), event);
    return normalizedEventSchema.parse(event);
  });
  assert.deepEqual(events.map(({ payload }) => payload.text), ["one", "two"]);
  for (const event of events) {
    assert.equal(event.workspaceId, workspaceId);
    assert.equal(event.source, "sample");
    assert.equal(event.type, "sample.thing.made");
    assert.equal(event.occurredAt, "2026-01-02T03:04:05.678Z");
  }
});

Deno.test("a delivery without events publishes none", async () => {
  await using service = await TestService.start();
  const { deliver } = await enabled(service);
  assert.deepEqual(await (await deliver(sampleDelivery([]))).json(), { ok: true, published: 0 });
});

Deno.test("the connector's config reaches it", async () => {
  await using service = await TestService.start();
  const { deliver } = await enabled(service, { shout: true });
  await deliver(sampleDelivery(["hello"]));
  assert.equal(service.published[0]?.event.payload.text, "HELLO");
});

Deno.test("the same delivery gives the same event ids, and another gives others", async () => {
  await using service = await TestService.start();
  const { deliver } = await enabled(service);
  for (const id of ["d1", "d1", "d2"]) await deliver(sampleDelivery(["a", "b"], id));
  const [a1, b1, a2, b2, a3, b3] = service.published.map(({ event }) => event.id);
  assert.deepEqual([a1, b1], [a2, b2]);
  assert.equal(new Set([a1, b1, a3, b3]).size, 4);
});

Deno.test("a delivery with an empty id is known by its body", async () => {
  await using service = await TestService.start();
  const { deliver } = await enabled(service);
  for (const text of ["same", "same", "other"]) {
    const { headers, body } = sampleDelivery([text]);
    headers["x-sample-delivery"] = "";
    assert.equal((await deliver({ headers, body })).status, 200);
  }
  const [first, second, third] = service.published.map(({ event }) => event.id);
  assert.equal(first, second);
  assert.notEqual(first, third);
});

const { headers: genuine, body } = sampleDelivery(["hello"]);
for (
  const [what, headers, sent] of [
    ["without a signature", {}, body],
    ["with an empty signature", { "x-sample-signature": "" }, body],
    ["with a signature in another form", { "x-sample-signature": "sha256=abc" }, body],
    ["with the right digest under a wrong prefix", { "x-sample-signature": sign(SAMPLE_SECRET, body) }, body],
    ["signed with another secret", { "x-sample-signature": `sha256=${sign("another", body)}` }, body],
    ["with one byte changed", genuine, body.replace("hello", "hallo")],
    ["with a byte added", genuine, `${body} `],
    ["of no JSON and a wrong signature", genuine, "not json"],
  ] as const
) {
  Deno.test(`a delivery ${what} is 401, and nothing of it is parsed or published`, async () => {
    await using service = await TestService.start();
    const { deliver } = await enabled(service);
    const response = await deliver({ headers, body: sent });
    assert.equal(response.status, 401);
    assert.equal(response.headers.get("content-type"), "application/problem+json");
    assert.equal((await response.json()).type, "urn:inlet:problem:invalid-signature");
    assert.deepEqual(service.published, []);
  });
}

for (
  const [what, sent, status] of [
    ["that is not JSON", "{nope", 400],
    ["that is empty", "", 400],
    ["that is not UTF-8", new Uint8Array([0xff, 0xfe]), 400],
    ["of another shape", '{"events":[{"entity":"thing"}]}', 422],
    ["that is null", "null", 422],
  ] as const
) {
  Deno.test(`an authentic delivery ${what} is ${status} and publishes nothing`, async () => {
    await using service = await TestService.start();
    const { deliver } = await enabled(service);
    const headers = { "x-sample-signature": `sha256=${sign(SAMPLE_SECRET, sent)}` };
    const response = await deliver({ headers, body: sent });
    assert.equal(response.status, status);
    if (status === 422) assert.ok((await response.json()).errors.length > 0);
    assert.deepEqual(service.published, []);
  });
}

Deno.test("a wrong shape is refused with the place of each fault", async () => {
  await using service = await TestService.start();
  const { deliver } = await enabled(service);
  const response = await deliver(
    signedSample('{"events":[{"entity":"thing","text":"a"},{"entity":"thing","text":5}]}'),
  );
  const { errors } = await response.json();
  assert.equal(errors.length, 1);
  assert.equal(errors[0].pointer, "/events/1/text");
  assert.equal(errors[0].detail, "expected a text, not a number");
});

Deno.test("a URL is refused with another connector's id, another token or none", async () => {
  await using service = await TestService.start();
  const { path } = await enabled(service);
  const token = path.split("/").at(-1);
  for (const wrong of [`/webhooks/github/${token}`, `/webhooks/sample/${token}x`, `/webhooks/sample/`, "/webhooks"]) {
    const response = await service.app.request(wrong, { method: "POST", ...sampleDelivery(["hello"]) });
    assert.equal(response.status, 404, wrong);
  }
  assert.deepEqual(service.published, []);
});

Deno.test("a body over the limit is 413, by its declared length or while reading", async () => {
  await using service = await TestService.start({ limits: { maxBodyBytes: 1000 } });
  const { deliver } = await enabled(service);
  const large = signedSample(JSON.stringify({ events: [], padding: "x".repeat(1000) }));
  const declared = { ...large.headers, "content-length": String(large.body.length) };
  assert.equal((await deliver({ headers: declared, body: large.body })).status, 413);

  let chunksRead = 0;
  const endless = new ReadableStream({
    pull(controller) {
      chunksRead++;
      controller.enqueue(new Uint8Array(400));
    },
  });
  assert.equal((await deliver({ headers: large.headers, body: endless })).status, 413);
  assert.ok(chunksRead < 10, `reading stopped at the limit, after ${chunksRead} chunks`);
  assert.equal((await deliver(sampleDelivery(["small"]))).status, 200);
});

Deno.test("an unsigned body is refused unread", async () => {
  await using service = await TestService.start();
  const { deliver } = await enabled(service);
  let read = 0;
  const body = new ReadableStream({
    pull(controller) {
      read++;
      controller.enqueue(new Uint8Array(1000));
    },
  });
  assert.equal((await deliver({ headers: { "x-sample-signature": "nonsense" }, body })).status, 401);
  assert.ok(read <= 1, "a stream fetches its first chunk by itself");
});

Deno.test("a large body of declared length is read whole, and one that ends early is 400", async () => {
  await using service = await TestService.start();
  const { deliver } = await enabled(service);
  const { headers, body } = signedSample(JSON.stringify({ events: [], padding: "x".repeat(600_000) }));
  const send = (text: string) =>
    deliver({ headers: { ...headers, "content-length": String(body.length) }, body: new Blob([text]).stream() });
  assert.equal((await send(body)).status, 200);
  assert.equal((await send(body.slice(0, 400_000))).status, 400);
});

Deno.test("a body that breaks off is 400 and publishes nothing", async () => {
  await using service = await TestService.start();
  const { deliver } = await enabled(service);
  const broken = new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode('{"events":['));
      controller.error(new Error("connection reset"));
    },
  });
  assert.equal((await deliver({ headers: genuine, body: broken })).status, 400);
  assert.deepEqual(service.published, []);
});

Deno.test("a delivery that comes again is a duplicate, and one that failed before is none", async () => {
  let broken = false;
  await using service = await TestService.start({ once: true, breaks: () => broken });
  const { deliver } = await enabled(service);
  const answer = async (id: string) => {
    const response = await deliver(sampleDelivery(["hello"], id));
    const { published, duplicate } = await response.json();
    return [response.status, published, duplicate];
  };
  assert.deepEqual(await answer("d1"), [200, 1, undefined]);
  assert.deepEqual(await answer("d1"), [200, 0, true]);
  broken = true;
  assert.deepEqual(await answer("d2"), [503, undefined, undefined]);
  broken = false;
  assert.deepEqual(await answer("d2"), [200, 1, undefined]);
  assert.equal(service.published.length, 2);
});

Deno.test("without the broker's confirm a delivery is 503 with Retry-After", async () => {
  const broken: Exchange = {
    publish: () => Promise.reject(new BrokerUnavailableError("Cannot publish: no connection")),
    health: () => ({ ok: false, detail: "no connection" }),
    unrouted: () => 0,
    close: () => Promise.resolve(),
  };
  await using service = await TestService.start({ exchange: broken });
  const { deliver } = await enabled(service);
  const response = await deliver(sampleDelivery(["hello"]));
  assert.equal(response.status, 503);
  assert.match(response.headers.get("retry-after") ?? "", /^\d+$/);
  const readiness = await service.app.request("/readyz");
  assert.equal(readiness.status, 503);
  assert.equal((await readiness.json()).checks.broker.detail, "no connection");
});

Deno.test("a body that does not arrive in time is 408, and the connection is not used again", async () => {
  await using service = await TestService.start({ limits: { bodyTimeoutMs: 5 } });
  const { deliver } = await enabled(service);
  const stuck = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });
  const response = await deliver({ headers: genuine, body: stuck });
  assert.equal(response.status, 408);
  assert.equal(response.headers.get("connection"), "close");
  assert.equal((await response.json()).type, "urn:inlet:problem:body-timeout");
});

Deno.test("a body that finds no room is 503 with Retry-After, and room is given back with the answer", async () => {
  await using service = await TestService.start({ limits: { bodyMemoryBytes: 10_000 } });
  const { deliver } = await enabled(service);
  for (let round = 0; round < 5; round++) {
    const refused = await deliver(signedSample(JSON.stringify({ events: [], padding: "x".repeat(20_000) })));
    assert.equal(refused.status, 503);
    assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
    assert.equal((await refused.json()).type, "urn:inlet:problem:busy");
    const taken = await deliver(signedSample(JSON.stringify({ events: [], padding: "x".repeat(8000) })));
    assert.equal(taken.status, 200);
    assert.equal((await deliver({ headers: genuine, body: "x".repeat(8000) })).status, 401);
  }
});

Deno.test("a URL that had its share is 429 before the body is read, until Retry-After has passed", async () => {
  let ms = 1_000_000;
  const limits = { rateLimit: 1, rateLimitBurst: 2 };
  await using service = await TestService.start({ limits, now: () => new Date(ms) });
  const { deliver } = await enabled(service);
  for (let unsigned = 0; unsigned < 5; unsigned++) assert.equal((await deliver({ body: "{}" })).status, 401);
  assert.equal((await deliver(sampleDelivery(["one"]))).status, 200);
  assert.equal((await deliver(sampleDelivery(["two"]))).status, 200);
  const unread = new ReadableStream({}, { highWaterMark: 0 });
  const refused = await deliver({ headers: sampleDelivery([]).headers, body: unread });
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get("retry-after"), "1");
  assert.match((await refused.json()).detail, /RATE_LIMIT/);
  assert.equal(service.published.length, 2);
  ms += 1000;
  assert.equal((await deliver(sampleDelivery(["three"]))).status, 200);
});

Deno.test("a delivery of too many events is 422 and publishes nothing", async () => {
  await using service = await TestService.start({ limits: { maxEventsPerDelivery: 2 } });
  const { deliver } = await enabled(service);
  assert.equal((await deliver(sampleDelivery(["one", "two"]))).status, 200);
  const response = await deliver(sampleDelivery(["one", "two", "three"]));
  assert.equal(response.status, 422);
  assert.equal((await response.json()).type, "urn:inlet:problem:over-limit");
  assert.equal(service.published.length, 2);
});

/** The sample connector, where what a delivery becomes is changed. */
function becoming(change: (draft: EventDraft) => EventDraft[]): Connector {
  return {
    ...sample,
    open(settings) {
      const receiver = sample.open(settings);
      return {
        ...receiver,
        receive(delivery) {
          const received = receiver.receive(delivery);
          return { ...received, drafts: received.drafts.flatMap(change) };
        },
      };
    },
  };
}

Deno.test("a delivery that would become far more than it is itself is 422 and publishes nothing", async () => {
  const payload = { name: "x".repeat(1_000_000) };
  for (const [count, status] of [[10, 200], [20, 422]] as const) {
    const repeats = becoming((draft) => Array.from({ length: count }, () => ({ ...draft, payload })));
    await using service = await TestService.start({ connectors: [repeats] });
    const { deliver } = await enabled(service);
    const response = await deliver(sampleDelivery(["hello"]));
    assert.equal(response.status, status);
    assert.equal(service.published.length, status === 200 ? count : 0);
  }
});

Deno.test("a delivery whose events are nested too deep is 422 and publishes nothing", async () => {
  const nests = becoming((draft) => [{ ...draft, payload: { a: [{ b: draft.payload }] } }]);
  for (const [maxJsonDepth, status] of [[4, 200], [3, 422]] as const) {
    await using service = await TestService.start({ connectors: [nests], limits: { maxJsonDepth } });
    const { deliver } = await enabled(service);
    const response = await deliver(sampleDelivery(["hello"]));
    assert.equal(response.status, status);
    assert.equal(service.published.length, status === 200 ? 1 : 0);
  }
});
