import assert from "node:assert/strict";
import { briefConnectionError, explainConnectionError } from "./explain.ts";

for (
  const [message, meaning] of [
    ["connect ECONNREFUSED 127.0.0.1:5999", /^nobody listens there/],
    ["Handshake terminated by server: 403 (ACCESS-REFUSED) with message", /^user or password is wrong/],
    ["Expected ConnectionOpenOk; got <ConnectionClose channel:0>", /^there is no such virtual host/],
    ["Frame size 1345270062 exceeds maxFrameSize 67108864", /^no AMQP is spoken there/],
    ["received corrupt message of type InvalidContentType (wrong version number)", /^no TLS is spoken there/],
    ["Operation failed: ExchangeDeclare; 406 (PRECONDITION-FAILED) inequivalent arg 'type'", /AMQP_EXCHANGE/],
    ["something else", /^something else$/],
  ] as const
) {
  Deno.test(`explainConnectionError says what "${message.slice(0, 40)}" means`, () => {
    assert.match(explainConnectionError(new Error(message)), meaning);
  });
}

Deno.test("explainConnectionError does not quote a host that may be a piece of a password", () => {
  assert.ok(!explainConnectionError(new Error("getaddrinfo ENOTFOUND hunter2")).includes("hunter2"));
});

Deno.test("briefConnectionError names no address that everybody could read", () => {
  assert.equal(briefConnectionError(new Error("connect ECONNREFUSED 10.1.2.3:5672")), "nobody listens there");
  assert.equal(briefConnectionError(new Error("something else")), "something else");
});
