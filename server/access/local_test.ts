import assert from "node:assert/strict";
import { foreignness, hostAndPort, isLocalUrl, isLoopback, reachedHereAt } from "./local.ts";

const asked = (headers: Record<string, string>, peer: string | undefined = "127.0.0.1") =>
  foreignness(new Request("http://localhost:3200/dashboard", { headers }), peer);

Deno.test("foreignness is undefined only for a loopback peer that asks for a loopback name", () => {
  for (const host of ["localhost:3200", "127.0.0.1", "127.1.2.3:80", "[::1]:3200", "LOCALHOST", "localhost."]) {
    assert.equal(asked({ host }), undefined, host);
  }
  for (const peer of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) {
    assert.equal(asked({ host: "localhost" }, peer), undefined);
  }
});

Deno.test("foreignness names a peer that is elsewhere, or not known", () => {
  for (const peer of ["192.168.1.7", "10.0.0.1", "::ffff:10.0.0.1", "fe80::1", "127.evil", "1127.0.0.1"]) {
    assert.match(asked({ host: "localhost" }, peer) ?? "", /does not come from this machine/, peer);
  }
  assert.match(foreignness(new Request("http://localhost/"), undefined) ?? "", /does not come from this machine/);
});

Deno.test("foreignness names a foreign Host: another's DNS may point here", () => {
  for (
    const host of [
      "evil.example",
      "evil.example:3200",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "0.0.0.0",
      "",
    ]
  ) {
    assert.match(asked({ host }) ?? "", /is not a name of this machine/, host);
  }
});

Deno.test("foreignness names a proxy", () => {
  for (const name of ["x-forwarded-for", "forwarded", "via", "x-real-ip", "cf-connecting-ip", "x-forwarded-host"]) {
    assert.match(asked({ host: "localhost", [name]: "1" }) ?? "", new RegExp(name), name);
  }
});

Deno.test("isLoopback knows each form of this machine's own address", () => {
  for (const host of ["localhost", "LOCALHOST.", "127.0.0.1", "127.1.2.3", "::1", "[::1]", "::ffff:127.0.0.1"]) {
    assert.equal(isLoopback(host), true, host);
  }
});

Deno.test("isLocalUrl knows URLs that no other machine reaches", () => {
  for (const host of ["localhost:3200", "inlet.localhost", "127.0.0.1:3200", "127.1.2.3", "[::1]:3200"]) {
    assert.equal(isLocalUrl(`http://${host}/webhooks/a/b`), true, host);
  }
  for (const host of ["inlet.example.com", "192.0.2.1", "localhost.example.com", "127.example.com", "[2001:db8::1]"]) {
    assert.equal(isLocalUrl(`https://${host}/webhooks/a/b`), false, host);
  }
});

Deno.test("reachedHereAt turns what means all addresses into this machine's own, and puts IPv6 into brackets", () => {
  for (const host of ["0.0.0.0", "0", "::", "[::]", "0:0:0:0:0:0:0:0", "[0::0]"]) {
    assert.equal(reachedHereAt(host, 3200), "127.0.0.1:3200", host);
  }
  for (const host of ["127.0.0.1", "localhost", "inlet.example", "10.0.0.0", "192.0.2.1"]) {
    assert.equal(reachedHereAt(host, 80), `${host}:80`);
  }
  for (const host of ["::1", "[::1]"]) assert.equal(reachedHereAt(host, 3200), "[::1]:3200");
  for (const host of ["fe80::1", "[fe80::1]", "2001:db8::"]) {
    assert.equal(reachedHereAt(host, 1), hostAndPort(host, 1));
    assert.ok(URL.canParse(`http://${reachedHereAt(host, 1)}`), host);
  }
});

Deno.test("isLoopback knows no other address", () => {
  for (const host of ["0.0.0.0", "::", "", "example.com", "localhost.example.com", "128.0.0.1", "[::]"]) {
    assert.equal(isLoopback(host), false, host);
  }
});
