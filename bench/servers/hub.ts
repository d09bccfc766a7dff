/** Inlet's live streams alone: sends every client a message for each delivery that it gets, of which it reads nothing. */
import { z } from "zod";
import { embeddedExchange } from "../../server/broker/embedded.ts";
import { createHub } from "../../server/stream/hub.ts";
import { SSE_HEADERS } from "../../server/stream/sse.ts";
import { someEvent } from "../../tests/support/events.ts";

const { PORT, MESSAGES_FILE = "" } = Deno.env.toObject();
const messages = z.array(z.string()).parse(JSON.parse(await Deno.readTextFile(MESSAGES_FILE)))
  .map((message) => message.slice(message.indexOf("data: ") + "data: ".length).trimEnd());
const { live } = embeddedExchange();
const hub = createHub(live, { maxClients: 2000 });
const { event } = someEvent();
let sent = 0;

Deno.serve({ hostname: "127.0.0.1", port: Number(PORT) }, async (request) => {
  if (request.method === "POST") {
    await request.bytes();
    // An event that was shown is not shown again: each has an id of its own.
    const json = messages[sent++ % messages.length] ?? "";
    live.announce([{ event: { ...event, id: crypto.randomUUID() }, json }]);
    return Response.json({ ok: true });
  }
  if (!request.url.endsWith("/stream")) return Response.json({ ok: true });
  return new Response(await hub.open(event.workspaceId), { headers: SSE_HEADERS });
});
