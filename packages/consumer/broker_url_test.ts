import assert from "node:assert/strict";
import { brokerUrl } from "./broker_url.ts";

Deno.test("brokerUrl keeps an address, and is guest where it names no user", () => {
  for (
    const [address, url] of [
      ["amqp://user:p%25ss@host:5672/vhost", "amqp://user:p%25ss@host:5672/vhost"],
      ["amqps://user@host", "amqps://user@host"],
      ["amqp://localhost", "amqp://guest:guest@localhost"],
      ["amqp://localhost:5672/%2f", "amqp://guest:guest@localhost:5672/%2f"],
    ] as const
  ) assert.equal(brokerUrl(address), url);
});

Deno.test("brokerUrl refuses what is no broker's address, and does not quote it", () => {
  for (const address of ["", "localhost:5672", "http://me:secret@localhost:15672", "amqp://", "me:secret@host"]) {
    assert.throws(() => brokerUrl(address), {
      name: "TypeError",
      message: "Cannot consume: url is no address such as amqp://user:password@host:5672",
    });
  }
  assert.throws(() => brokerUrl("amqp://me:100%@host"), { name: "TypeError", message: /write %25/ });
});
