/** Sends every client of a stream a message for each delivery that it gets, and knows nothing else. */
import { z } from "zod";

const { PORT, MESSAGES_FILE = "" } = Deno.env.toObject();
const encoder = new TextEncoder();
const messages = z.array(z.string()).parse(JSON.parse(await Deno.readTextFile(MESSAGES_FILE)))
  .map((text) => encoder.encode(text));
const clients = new Set<ReadableStreamDefaultController<Uint8Array>>();
let sent = 0;

function stream(): Response {
  let own: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      own = controller;
      clients.add(own);
      // The client is to see that it is connected.
      own.enqueue(encoder.encode(": connected\n\n"));
    },
    cancel: () => void clients.delete(own),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

Deno.serve({ hostname: "127.0.0.1", port: Number(PORT) }, async (request) => {
  if (request.method === "POST") {
    await request.bytes();
    const message = messages[sent++ % messages.length];
    for (const client of clients) client.enqueue(message);
    return Response.json({ ok: true, published: 1 });
  }
  return request.url.endsWith("/stream") ? stream() : Response.json({ ok: true });
});
