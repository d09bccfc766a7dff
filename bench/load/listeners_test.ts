import assert from "node:assert/strict";
import { Listeners } from "./listeners.ts";

Deno.test("each event is counted, however many the server writes at once", async () => {
  const events = 100_000;
  const all = new TextEncoder().encode("\ndata: {}\n\n".repeat(events));
  const opened = Promise.withResolvers<void>();
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, () => {
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(": connected\n\n"));
        await opened.promise;
        controller.enqueue(all);
        // Who waits for more then fails.
        controller.close();
      },
    });
    return new Response(body);
  });
  using listeners = await Listeners.open(`http://127.0.0.1:${server.addr.port}/`, 1);
  opened.resolve();
  while (listeners.least < events) await listeners.progress();
  assert.equal(listeners.most, events);
});
