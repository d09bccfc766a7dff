/**
 * What somebody would write who wants GitHub's deliveries on RabbitMQ and nothing else: verifies the signature, parses,
 * publishes with the broker's confirm, answers. It publishes the body as it came, or with `PUBLISHES=sender` no more than
 * who sent it, which is about the size of Inlet's events. It recognizes no repeats, keeps nothing while the broker is
 * away, streams nothing and tells nobody how it is.
 *
 * @module
 */
import { Hono } from "hono";
import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import { Connection } from "rabbitmq-client";

const { PORT, AMQP_URL, AMQP_EXCHANGE = "", SECRET = "", PUBLISHES } = Deno.env.toObject();

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
  const { action, sender } = JSON.parse(body.toString());
  const id = c.req.header("x-github-delivery") ?? "";
  const type = `github.${c.req.header("x-github-event")}.${action ?? "sent"}`;
  const message = PUBLISHES === "sender" ? Buffer.from(JSON.stringify({ id, type, sender })) : body;
  const envelope = { exchange: AMQP_EXCHANGE, routingKey: type, messageId: id, durable: true };
  await publisher.send({ ...envelope, contentType: "application/json" }, message);
  return c.json({ ok: true, published: 1 }, 202);
});

Deno.serve({ hostname: "127.0.0.1", port: Number(PORT) }, app.fetch);
