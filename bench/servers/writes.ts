/**
 * Writes events into the real spool, or into a store with a commit for each, as fast as either takes them; with each, that
 * its delivery was accepted. Nothing is received.
 */
import { z } from "zod";
import { createSealer } from "../../server/crypto/seal.ts";
import { spoolStore } from "../../server/store/spool.ts";
import { someEvent } from "../../tests/support/events.ts";

const { PORT, FOLDER } = Deno.env.toObject();
/** As long as the events that the bench's deliveries become. */
const TEXT = "x".repeat(900);
const DAY_MS = 86_400_000;

const encoder = new TextEncoder();
const [spoolKv, plainKv] = [await Deno.openKv(`${FOLDER}/spool.sqlite3`), await Deno.openKv(`${FOLDER}/plain.sqlite3`)];
const sealer = await createSealer(crypto.getRandomValues(new Uint8Array(32)));
const spool = spoolStore(spoolKv, { sealer, limitBytes: 2 ** 40, dedupeWindowMs: DAY_MS, now: () => new Date() });

const writers = {
  async spool(): Promise<void> {
    const written = someEvent({ text: TEXT });
    const { id, workspaceId } = written.event;
    await spool.append([written], { workspaceId, id });
  },
  async plain(): Promise<void> {
    const { event: { id }, json } = someEvent({ text: TEXT });
    await plainKv.atomic()
      .set(["event", id], encoder.encode(json))
      .set(["accepted", id], Date.now(), { expireIn: DAY_MS })
      .commit();
  },
};

const jobSchema = z.object({
  into: z.enum(["spool", "plain"]),
  writers: z.coerce.number().int().positive(),
  seconds: z.coerce.number().positive(),
});

/** Writers side by side, each writing its next when its last is stored. */
async function write({ into, writers: count, seconds }: z.output<typeof jobSchema>) {
  const start = performance.now();
  let written = 0;
  await Promise.all(Array.from({ length: count }, async () => {
    while (performance.now() - start < seconds * 1000) {
      await writers[into]();
      written++;
    }
  }));
  return { written, seconds: (performance.now() - start) / 1000 };
}

Deno.serve({ hostname: "127.0.0.1", port: Number(PORT) }, async (request) => {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/healthz") return Response.json({ ok: true });
  if (pathname === "/spooled") return Response.json({ events: (await spool.state()).events });
  return Response.json(await write(jobSchema.parse(Object.fromEntries(searchParams))));
});
