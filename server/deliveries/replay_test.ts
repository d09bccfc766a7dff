import assert from "node:assert/strict";
import { SAMPLE_SECRET, sampleDelivery, signedSample } from "../../tests/support/sample.ts";
import { TestService } from "../../tests/support/service.ts";
import { sign } from "../../tests/support/sign.ts";
import { ConflictError, DeliveryLimitError, NotFoundError } from "../errors.ts";

async function enabled(service: TestService) {
  const workspaceId = await service.setUp();
  const path = await service.enableSample(workspaceId);
  const deliver = (init: RequestInit) => service.app.request(path, { method: "POST", ...init });
  const records = async () => {
    await service.recorder.flush();
    return await service.deliveries.list(workspaceId, { limit: 100 });
  };
  return { workspaceId, deliver, records };
}

Deno.test("an accepted delivery is on record, without its signature", async () => {
  await using service = await TestService.start();
  const { workspaceId, deliver, records } = await enabled(service);
  const { headers, body } = sampleDelivery(["one", "two"], "d-1");
  await deliver({ headers: { ...headers, "user-agent": "Sample/1", authorization: "Bearer secret" }, body });
  const [record, ...others] = await records();
  assert.deepEqual(others, []);
  assert.match(record?.id ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  assert.deepEqual(record, {
    id: record?.id,
    workspaceId,
    connectorId: "sample",
    receivedAt: new Date("2026-01-02T03:04:05.678Z"),
    deliveryId: "d-1",
    status: 200,
    refusal: null,
    published: 2,
    queued: 0,
    duplicate: false,
    events: service.published.map(({ event: { id, type } }) => ({ id, type })),
    durationMs: 0,
    bodyBytes: body.length,
    headers: { "content-type": "text/plain;charset=UTF-8", "x-sample-delivery": "d-1", "user-agent": "Sample/1" },
    bodyKept: true,
  });
});

Deno.test("a refused delivery is on record with the reason, and its body only if it is authentic", async () => {
  await using service = await TestService.start();
  const { workspaceId, deliver, records } = await enabled(service);
  await deliver(signedSample('{"events":[{"entity":"thing"}]}'));
  await deliver({ headers: { "x-sample-signature": `sha256=${sign("another", "{}")}` }, body: "{}" });
  const [forged, misshapen] = await records();
  assert.equal(forged?.status, 401);
  assert.match(forged?.refusal ?? "", /does not match the body/);
  assert.equal(forged?.bodyKept, false);
  assert.equal(misshapen?.status, 422);
  assert.equal(misshapen?.bodyKept, true);
  const bodies = await Promise.all([forged, misshapen].map((record) => {
    return service.deliveries.body(workspaceId, record?.id ?? "");
  }));
  assert.deepEqual(bodies.map((body) => body && new TextDecoder().decode(body)), [
    undefined,
    '{"events":[{"entity":"thing"}]}',
  ]);
});

Deno.test("a delivery of very many events is on record with the first of them", async () => {
  await using service = await TestService.start();
  const { deliver, records } = await enabled(service);
  await deliver(sampleDelivery(Array.from({ length: 60 }, (_, index) => String(index))));
  const [record] = await records();
  assert.equal(record?.published, 60);
  assert.deepEqual(record?.events.map(({ id }) => id), service.published.slice(0, 50).map(({ event }) => event.id));
});

Deno.test("a delivery of too many events is refused when it is replayed as when it came", async () => {
  await using service = await TestService.start({ limits: { maxEventsPerDelivery: 1 } });
  const { workspaceId, deliver, records } = await enabled(service);
  assert.equal((await deliver(sampleDelivery(["one", "two"]))).status, 422);
  const [record] = await records();
  assert.ok(record?.bodyKept);
  await assert.rejects(service.replay.preview(workspaceId, record.id), DeliveryLimitError);
  await assert.rejects(service.replay.publish(workspaceId, record.id), DeliveryLimitError);
  assert.deepEqual(service.published, []);
});

Deno.test("replay shows, then publishes, what the delivery was, with the same ids", async () => {
  await using service = await TestService.start();
  const { workspaceId, deliver, records } = await enabled(service);
  await deliver(sampleDelivery(["one", "two"]));
  const [record] = await records();
  assert.ok(record);
  const preview = await service.replay.preview(workspaceId, record.id);
  assert.deepEqual(preview, service.published.map(({ event }) => event));
  assert.equal(service.published.length, 2, "a preview publishes nothing");
  assert.deepEqual(await service.replay.publish(workspaceId, record.id), { published: 2, queued: 0 });
  assert.deepEqual(service.published.slice(2), service.published.slice(0, 2));
  const changes = await (await service.app.request(`/audit?workspaceId=${workspaceId}&limit=1`)).json();
  assert.equal(
    `${changes[0].by} ${changes[0].action} ${changes[0].subject}`,
    `nobody published again delivery ${record.id}`,
  );
});

Deno.test("replay uses today's settings", async () => {
  await using service = await TestService.start();
  const { workspaceId, deliver, records } = await enabled(service);
  await deliver(sampleDelivery(["quiet"]));
  const [record] = await records();
  await service.enableSample(workspaceId, { shout: true });
  const [event] = await service.replay.preview(workspaceId, record?.id ?? "");
  assert.equal(event?.payload.text, "QUIET");
});

Deno.test("replay refuses what is unknown, another workspace's, not kept or not enabled", async () => {
  await using service = await TestService.start();
  const { workspaceId, deliver, records } = await enabled(service);
  await deliver({ headers: { "x-sample-signature": `sha256=${sign(SAMPLE_SECRET, "x")}` }, body: "y" });
  await deliver(sampleDelivery(["one"]));
  const [accepted, forged] = await records();
  const id = accepted?.id ?? "";
  await assert.rejects(service.replay.preview(workspaceId, crypto.randomUUID()), NotFoundError);
  await assert.rejects(service.replay.preview("11111111-1111-4111-8111-111111111111", id), NotFoundError);
  await assert.rejects(service.replay.publish(workspaceId, forged?.id ?? ""), ConflictError);
  await service.post("/connectors/sample/configure", { workspaceId, enabled: false });
  await assert.rejects(service.replay.publish(workspaceId, id), ConflictError);
  assert.equal(service.published.length, 1);
});

Deno.test("an example goes the whole way of a delivery, each time as a new one", async () => {
  await using service = await TestService.start();
  const { workspaceId, records } = await enabled(service);
  assert.deepEqual(await service.replay.sendExample(workspaceId, "sample", "hello"), { published: 1, queued: 0 });
  assert.deepEqual(await service.replay.sendExample(workspaceId, "sample", "hello"), { published: 1, queued: 0 });
  assert.deepEqual(service.published.map(({ event }) => event.payload.text), ["hello", "hello"]);
  assert.notEqual(service.published[0]?.event.id, service.published[1]?.event.id);
  assert.equal((await records()).length, 2);
  await assert.rejects(service.replay.sendExample(workspaceId, "other", "hello"), ConflictError);
});
