import assert from "node:assert/strict";
import { sampleDelivery } from "../../tests/support/sample.ts";
import { TestService } from "../../tests/support/service.ts";

Deno.test("GET /events/stream streams what a delivery published", async () => {
  await using service = await TestService.start();
  const workspaceId = await service.setUp();
  const path = await service.enableSample(workspaceId);
  const response = await service.app.request(`/events/stream?workspaceId=${workspaceId}`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
  assert.match(response.headers.get("cache-control") ?? "", /no-cache/);
  await service.app.request(path, { method: "POST", ...sampleDelivery(["hello"]) });
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (text.includes("data: ")) break;
  }
  const published = service.published[0] ?? assert.fail();
  assert.equal(text, `retry: 3000\n\nid: ${published.event.id}\ndata: ${published.json}\n\n`);
});

for (
  const [query, status] of [
    ["", 422],
    ["?workspaceId=acme", 422],
    ["?workspaceId=11111111-1111-1111-1111-111111111111", 404],
  ] as const
) {
  Deno.test(`GET /events/stream${query} is ${status} as a problem`, async () => {
    await using service = await TestService.start();
    const response = await service.app.request(`/events/stream${query}`);
    assert.equal(response.status, status);
    assert.equal(response.headers.get("content-type"), "application/problem+json");
  });
}

for (const how of ["header", "query"] as const) {
  Deno.test(`GET /events/stream resumes after the last event that a ${how} names`, async () => {
    await using service = await TestService.start();
    const workspaceId = await service.setUp();
    const path = await service.enableSample(workspaceId);
    await service.app.request(path, { method: "POST", ...sampleDelivery(["one", "two", "three"]) });
    const [first, second] = service.published;
    const id = first?.event.id ?? assert.fail();
    const response = how === "header"
      ? await service.app.request(`/events/stream?workspaceId=${workspaceId}`, { headers: { "last-event-id": id } })
      : await service.app.request(`/events/stream?workspaceId=${workspaceId}&lastEventId=${id}`);
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk);
      if (text.includes("three")) break;
    }
    assert.ok(text.startsWith(`retry: 3000\n\nid: ${second?.event.id}\n`), text);
  });
}

Deno.test("GET /events/stream after what can be no event's id is 422, and names what says so", async () => {
  await using service = await TestService.start();
  const stream = `/events/stream?workspaceId=${await service.setUp()}`;
  const long = "x".repeat(3000);
  for (
    const [parameter, path, headers] of [
      ["lastEventId", `${stream}&lastEventId=${long}`, {}],
      ["last-event-id", stream, { "last-event-id": long }],
    ] as const
  ) {
    const response = await service.app.request(path, { headers });
    assert.equal(response.status, 422);
    assert.deepEqual((await response.json()).errors, [{ parameter, detail: "must be the id of an event" }]);
  }
});

Deno.test("GET /events/stream beyond MAX_STREAMS is 503 with Retry-After, until a client goes away", async () => {
  await using service = await TestService.start({ limits: { maxStreams: 2 } });
  const workspaceId = await service.setUp();
  const open = () => service.app.request(`/events/stream?workspaceId=${workspaceId}`);
  const [first, second] = [await open(), await open()];
  assert.deepEqual([first.status, second.status], [200, 200]);
  const refused = await open();
  assert.equal(refused.status, 503);
  assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  assert.match((await refused.json()).detail, /MAX_STREAMS/);
  await first.body?.cancel();
  assert.equal((await open()).status, 200);
});
