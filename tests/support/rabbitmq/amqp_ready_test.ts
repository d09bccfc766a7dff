import assert from "node:assert/strict";
import { freePorts } from "../ports.ts";
import { speaksAmqp, waitForAmqp } from "./amqp_ready.ts";

async function withServer(
  answer: (connection: Deno.TcpConn) => Promise<unknown> | void,
  test: (port: number) => Promise<void>,
): Promise<void> {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serving = (async () => {
    for await (const connection of listener) {
      await answer(connection);
      connection.close();
    }
  })();
  await test(listener.addr.port);
  listener.close();
  await serving;
}

Deno.test("speaksAmqp is true of a server that greets with a method frame", async () => {
  await withServer(
    (connection) => connection.write(new Uint8Array([1, 0, 0])),
    async (port) => assert.equal(await speaksAmqp(port), true),
  );
});

Deno.test("speaksAmqp is false of a server that drops the connection, as a proxy before its target is up", async () => {
  await withServer(() => {}, async (port) => assert.equal(await speaksAmqp(port), false));
});

Deno.test("speaksAmqp is false of a server that says something else, as another version of AMQP does", async () => {
  await withServer(
    (connection) => connection.write(new TextEncoder().encode("AMQP")),
    async (port) => assert.equal(await speaksAmqp(port), false),
  );
});

Deno.test("speaksAmqp is false of a server that stays silent", async () => {
  await withServer(
    async (connection) => {
      while (await connection.read(new Uint8Array(64)) !== null);
    },
    async (port) => assert.equal(await speaksAmqp(port, 50), false),
  );
});

Deno.test("waitForAmqp gives up at once when there is a reason, and names it", async () => {
  const [port = 0] = freePorts(1);
  await assert.rejects(waitForAmqp({ port, gaveUp: () => "it ended with code 1" }), /it ended with code 1/);
});

Deno.test("waitForAmqp gives up at the deadline", async () => {
  const [port = 0] = freePorts(1);
  await assert.rejects(waitForAmqp({ port, gaveUp: () => undefined, deadlineMs: 10 }), /does not speak AMQP after/);
});
