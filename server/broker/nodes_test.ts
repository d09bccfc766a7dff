import assert from "node:assert/strict";
import { BrokerNodes } from "./nodes.ts";

Deno.test("BrokerNodes takes each node's turn, in the order of AMQP_URL, again and again", () => {
  const nodes = new BrokerNodes("amqp://a:b@one:5673,amqps://two/v%2Fhost?heartbeat=5&frameMax=9000, amqp://[::1]");
  const { target } = nodes;
  const one = { protocol: "amqp", hostname: "one", port: 5673, username: "a", password: "b", heartbeat: 15 };
  assert.deepEqual(target, one);
  assert.equal(nodes.host, "one:5673");
  nodes.next();
  assert.deepEqual(target, { protocol: "amqps", hostname: "two", vhost: "v%2Fhost", heartbeat: 5, frameMax: 9000 });
  assert.equal(nodes.host, "two");
  nodes.next();
  assert.deepEqual(target, { protocol: "amqp", hostname: "::1", heartbeat: 15 });
  nodes.next();
  assert.deepEqual(target, one);
});

Deno.test("BrokerNodes reads user and password as they were before they were percent-encoded", () => {
  const { target } = new BrokerNodes("amqp://m%C3%BCller:p%40ss,word@one");
  assert.deepEqual([target.username, target.password], ["müller", "p@ss,word"]);
});
