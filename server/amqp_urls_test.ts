import assert from "node:assert/strict";
import { amqpUrlsIn, hasUsablePort } from "./amqp_urls.ts";

Deno.test("amqpUrlsIn parts the nodes of a cluster, and no password", () => {
  assert.deepEqual(amqpUrlsIn("amqp://a:b,c@one , amqps://two:5671"), ["amqp://a:b,c@one", "amqps://two:5671"]);
});

Deno.test("hasUsablePort refuses what is no port", () => {
  for (
    const end of ["host:99999", "host:65536", "host:abc", "host:0", "host:-1", "u:p@host:56,72/vhost", "[::1]:x?a=b"]
  ) {
    assert.equal(hasUsablePort(`amqp://${end}`), false, end);
  }
});

Deno.test("hasUsablePort takes a port, none, and what is wrong in another way", () => {
  const usable = ["host:1", "host:65535/vhost", "host", "host:", "[::1]", "[::1]:5672", "u:p@host:5672", "u:abc@host"];
  const notPorts = ["", "u:pa/ss@host", "u:pa#ss@host:5672", "u:pa?ss@host", "one,two", "u:p@"];
  for (const end of [...usable, ...notPorts]) assert.equal(hasUsablePort(`amqp://${end}`), true, end);
});
