import assert from "node:assert/strict";
import { explainFetchFailure, isRefusal } from "./fetch_failure.ts";

async function failureOf(url: string, options: RequestInit = {}): Promise<unknown> {
  return await fetch(url, options).then(() => assert.fail(`${url} answers`), (error: unknown) => error);
}

/** A port where whoever says something gets `answer`, or nothing. */
async function atPort(answer: string | undefined, use: (host: string) => Promise<void>): Promise<void> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections: Deno.Conn[] = [];
  const serving = (async () => {
    for await (const connection of listener) {
      connections.push(connection);
      if (answer === undefined) continue;
      await connection.read(new Uint8Array(1024));
      await connection.write(new TextEncoder().encode(answer));
    }
  })();
  try {
    await use(`127.0.0.1:${listener.addr.port}`);
  } finally {
    listener.close();
    await serving.catch(() => {});
    for (const connection of connections) connection.close();
  }
}

Deno.test("explainFetchFailure says why there was no answer", async () => {
  await atPort("AMQP\0\0\u0009\u0001", async (host) => {
    const noHttp = await failureOf(`http://${host}/`);
    assert.deepEqual([explainFetchFailure(noHttp), isRefusal(noHttp)], ["no HTTP is spoken there", false]);
    const noTls = await failureOf(`https://${host}/`);
    assert.match(explainFetchFailure(noTls), /^no TLS is spoken there, try http:/);
  });
  // A port for administrators only, where nobody listens.
  const refused = await failureOf("http://127.0.0.1:2/");
  assert.deepEqual([explainFetchFailure(refused), isRefusal(refused)], ["nobody listens there", true]);
  await atPort(undefined, async (host) => {
    const late = await failureOf(`http://${host}/`, { signal: AbortSignal.timeout(1) });
    assert.deepEqual([explainFetchFailure(late), isRefusal(late)], ["no answer in time", false]);
  });
  const unknown = new TypeError("fetch failed", {
    cause: new Error("dns error: failed to lookup address information"),
  });
  assert.equal(explainFetchFailure(unknown), "its host name is unknown");
  assert.match(explainFetchFailure(await failureOf("http://127.0.0.1:1/")), /^that port is kept for another protocol/);
  assert.equal(explainFetchFailure(new Error("it answers with 500")), "it answers with 500");
});
