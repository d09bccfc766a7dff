/** The traces that the real process exports, and what its messages carry on: from a sender's span to a consumer's. */
import assert from "node:assert/strict";
import { ForeignConsumer } from "./support/broker.ts";
import { InletProcess } from "./support/inlet.ts";
import { answerOf, LANE_SECRET, numberedDelivery } from "./support/lanes.ts";
import { OtlpReceiver } from "./support/otlp.ts";
import { providePrivateNode, settle } from "./support/rabbitmq.ts";
import { Scrape } from "./support/scrape.ts";

const [INTERNAL, SERVER, PRODUCER] = [1, 2, 4];
const SENDER_SPAN = "b7ad6b7169203331";

/** A delivery within a trace of its sender's; `01`: sampled. */
function traced(number: number, traceId: string, flags = "01"): RequestInit {
  const delivery = numberedDelivery(0, number);
  const headers = new Headers(delivery.headers);
  headers.set("traceparent", `00-${traceId}-${SENDER_SPAN}-${flags}`);
  return { ...delivery, headers };
}

const newTraceId = () => crypto.randomUUID().replaceAll("-", "");

Deno.test("a delivery's trace goes from its sender to the messages, spooled or not, and tells no secret", async () => {
  const node = await providePrivateNode();
  try {
    const exchange = `traces.${crypto.randomUUID()}`;
    await using consumer = await ForeignConsumer.bind(node.url, exchange, "#", "classic");
    await settle(node);
    await using receiver = new OtlpReceiver();
    await using inlet = await InletProcess.start({
      env: { AMQP_URL: node.url, AMQP_EXCHANGE: exchange, PUBLISH_TIMEOUT: "1m", ...receiver.env },
    });
    const workspaceId = await inlet.setUp();
    const url = await inlet.enable(workspaceId, "github", { webhookSecret: LANE_SECRET });
    const messageOf = async (count: number) => (await consumer.until(count)).at(-1)?.properties.headers ?? {};

    const trace = newTraceId();
    assert.equal((await answerOf(url, traced(0, trace))).status, 200);
    const spans = await receiver.until(trace, 4);
    const [delivery] = spans.filter(({ kind }) => kind === SERVER);
    assert.ok(delivery !== undefined);
    assert.equal(delivery.name, "POST /webhooks/:connectorId/:webhookToken");
    assert.equal(delivery.parentSpanId, SENDER_SPAN);
    const { "inlet.delivery.id": id, ...attributes } = delivery.attributes;
    assert.match(String(id), /^[0-9a-f-]{36}$/);
    assert.deepEqual(attributes, {
      "http.request.method": "POST",
      "http.route": "/webhooks/:connectorId/:webhookToken",
      "http.response.status_code": 200,
      "inlet.connector.id": "github",
      "inlet.workspace.id": workspaceId,
    });
    const steps = spans.filter(({ parentSpanId }) => parentSpanId === delivery.spanId);
    assert.deepEqual(steps.map(({ name, kind }) => [name, kind]), [
      ["verify", INTERNAL],
      ["normalize", INTERNAL],
      [`publish ${exchange}`, PRODUCER],
    ]);
    assert.deepEqual(steps[2]?.attributes, {
      "messaging.system": "rabbitmq",
      "messaging.operation.type": "send",
      "messaging.operation.name": "publish",
      "messaging.destination.name": exchange,
      "messaging.batch.message_count": 1,
    });
    assert.deepEqual(await messageOf(1), {
      "workspace-id": workspaceId,
      traceparent: `00-${trace}-${steps[2]?.spanId}-01`,
    });

    const unsampled = newTraceId();
    await answerOf(url, traced(1, unsampled, "00"));
    assert.match(String((await messageOf(2)).traceparent), new RegExp(`^00-${unsampled}-[0-9a-f]{16}-00$`));

    // What is no trace id begins a trace of its own, as a delivery without one does.
    for (const [index, untraced] of [traced(2, "0".repeat(32)), numberedDelivery(0, 3)].entries()) {
      await answerOf(url, untraced);
      const [, own = ""] = String((await messageOf(3 + index)).traceparent).split("-");
      assert.match(own, /[1-9a-f]/);
      assert.equal((await receiver.until(own, 4)).filter(({ kind }) => kind === SERVER).length, 1);
    }

    const refusedTrace = newTraceId();
    const forged = traced(4, refusedTrace);
    await (await fetch(url, { ...forged, body: `${forged.body} ` })).body?.cancel();
    const [verify, refused] = await receiver.until(refusedTrace, 2);
    assert.equal(verify?.name, "verify");
    assert.equal(refused?.attributes["http.response.status_code"], 401);
    assert.equal(refused?.attributes["error.type"], "invalid-signature");
    assert.equal(refused?.status.code, 0, "what a sender does wrong is no error of the service");

    await node.kill();
    await Scrape.until(inlet.url, (scrape) => scrape.value("inlet_broker_up") === 0);
    const spooled = newTraceId();
    assert.equal((await answerOf(url, traced(5, spooled))).status, 202);
    await node.restart();
    // The broker may give again what it had not seen acknowledged.
    while (!consumer.messages.some(({ properties }) => String(properties.headers.traceparent).includes(spooled))) {
      await consumer.until(consumer.messages.length + 1);
    }

    assert.equal(receiver.spans.filter(({ traceId }) => traceId === unsampled).length, 0, "the sender wants none");
    const token = new URL(url).pathname.split("/").at(-1) ?? "";
    for (const secret of [token, LANE_SECRET, "mira", "url.full"]) assert.ok(!receiver.text.includes(secret), secret);
    assert.ok(!inlet.output.includes("Deno's own spans"), "they are left out, so there is nothing to warn of");
  } finally {
    await node.stop();
  }
});

Deno.test("a service that would let Deno's own spans tell URLs warns of it", async () => {
  await using receiver = new OtlpReceiver();
  await using inlet = await InletProcess.start({ command: ["run", "-A", "start.ts"], env: receiver.env });
  await inlet.printed("OTEL_TRACES_SAMPLER=parentbased_always_off and OTEL_PROPAGATORS=none");
});
