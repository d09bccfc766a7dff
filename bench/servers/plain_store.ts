/** Verifies deliveries and stores each with a commit of its own before it answers: a spool as one would first write it. */
import { Hono } from "hono";
import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";

const { PORT, KV_PATH, SECRET = "" } = Deno.env.toObject();
const kv = await Deno.openKv(KV_PATH);

const app = new Hono();
app.get("/healthz", (c) => c.json({ ok: true }));
app.get("/count", async (c) => {
  let stored = 0;
  for await (const _ of kv.list({ prefix: ["delivery"] })) stored++;
  return c.json({ stored });
});
app.post("/webhooks/github", async (c) => {
  const body = Buffer.from(await c.req.arrayBuffer());
  const given = Buffer.from(c.req.header("x-hub-signature-256")?.slice("sha256=".length) ?? "", "hex");
  const expected = createHmac("sha256", SECRET).update(body).digest();
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return c.json({ ok: false }, 401);
  await kv.set(["delivery", c.req.header("x-github-delivery") ?? ""], new Uint8Array(body));
  return c.json({ ok: true, queued: 1 }, 202);
});

Deno.serve({ hostname: "127.0.0.1", port: Number(PORT) }, app.fetch);
