/**
 * What somebody would write who wants GitHub's deliveries on RabbitMQ and nothing else: verifies the signature, parses,
 * publishes the body with the broker's confirm, answers. It recognizes no repeats, keeps nothing while the broker is
 * away, streams nothing and tells nobody how it is.
 *
 * @module
 */
import { Hono } from "hono";
import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import { Connection } from "rabbitmq-client";

const { PORT, AMQP_URL, AMQP_EXCHANGE = "", SECRET = "" } = Deno.env.toObject();

const connection = new Connection(AMQP_URL);
connection.on("error", () => {});
const publisher = connection.createPublisher({ confirm: true });

function isAuthentic(body: Uint8Array, signature: string | undefined): boolean {
  const given = Buffer.from(signature?.slice("sha256=".length) ?? "", "hex");
  const expected = createHmac("sha256", SECRET).update(body).digest();
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const app = new Hono();
app.get("/healthz", (c) => c.json({ ok: connection.ready }));
app.post("/webhooks/github", async (c) => {
  const body = Buffer.from(await c.req.arrayBuffer());
  if (!isAuthentic(body, c.req.header("x-hub-signature-256"))) return c.json({ ok: false }, 401);
  const { action } = JSON.parse(body.toString());
  const event = c.req.header("x-github-event");
  await publisher.send({
    exchange: AMQP_EXCHANGE,
    routingKey: `github.${event}.${action ?? "sent"}`,
    messageId: c.req.header("x-github-delivery") ?? "",
    durable: true,
    contentType: "application/json",
  }, body);
  return c.json({ ok: true, published: 1 }, 202);
});

Deno.serve({ hostname: "127.0.0.1", port: Number(PORT) }, app.fetch);
