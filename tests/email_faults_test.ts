/** What the e-mail connector says of servers that refuse, hang, lie or end, and how much of a large mail it reads. */
import assert from "node:assert/strict";
import { email } from "../connectors/email/mod.ts";
import { Dovecot } from "./support/dovecot.ts";
import { CountingProxy } from "./support/dovecot/counting_proxy.ts";
import { plainMail, plainMails } from "./support/dovecot/mails.ts";
import {
  assertPollError,
  openEmail,
  payloadOf,
  poll,
  pollAll,
  pollerOf,
  subjectsOf,
} from "./support/dovecot/polling.ts";
import { freePorts } from "./support/ports.ts";
import { ScriptedServer } from "./support/dovecot/scripted_server.ts";

for (const at of [100, 3_000, 5_000, 20_000, 60_000]) {
  Deno.test(`email: a server that is killed after ${at} bytes is told of, and the next poll is complete`, async () => {
    await using dovecot = await Dovecot.start();
    const { cursor } = await pollAll(pollerOf(dovecot), null);
    await dovecot.deliver(Array.from({ length: 40 }, (_, index) => plainMail(index + 1, "x".repeat(3_000))));
    using proxy = new CountingProxy(dovecot.imapsPort, at, async () => {
      await dovecot.kill();
      proxy.cut(); // What was on its way is lost, too.
    });
    await assertPollError(poll(pollerOf(dovecot, { port: proxy.port }), cursor), /localhost:\d+/);
    await dovecot.restart();
    const { drafts } = await pollAll(pollerOf(dovecot), cursor);
    assert.deepEqual(subjectsOf(drafts), plainMails(1, 40).map((_, index) => `Mail ${index + 1}`));
  });
}

Deno.test("email: a wrong user name or password is said, without the password", async () => {
  await using dovecot = await Dovecot.start();
  const wrong = "not the right password";
  await assertPollError(
    poll(pollerOf(dovecot, {}, wrong), null),
    /^Cannot log in to localhost:\d+ as "ann": the server says ".*Authentication failed.*"; check user name and password$/,
    wrong,
  );
  await assertPollError(poll(pollerOf(dovecot, { username: "eve" }), null), /as "eve"/, dovecot.password);
});

Deno.test("email: a certificate of an unknown authority is refused, unless the authority is configured", async () => {
  await using dovecot = await Dovecot.start();
  const unknown = pollerOf(dovecot, { certificateAuthority: undefined });
  await assertPollError(poll(unknown, null), /^Cannot trust localhost:\d+: .*set certificateAuthority/);
  assert.doesNotMatch(await dovecot.log(), /user=<ann>/, "it was told neither user name nor password");
  const { drafts } = await poll(pollerOf(dovecot), null);
  assert.deepEqual(drafts, []);
  const inOneLine = dovecot.certificateAuthority.replaceAll("\n", "");
  await poll(pollerOf(dovecot, { certificateAuthority: inOneLine }), null);
  await poll(pollerOf(dovecot, { host: "127.0.0.1" }), null);
});

Deno.test("email: a certificate for another host is refused", async () => {
  await using dovecot = await Dovecot.start("for another host");
  const starttls = { tls: "starttls", port: dovecot.imapPort };
  for (const config of [{}, { host: "127.0.0.1" }, starttls, { ...starttls, host: "127.0.0.1" }]) {
    await assertPollError(poll(pollerOf(dovecot, config), null), /^Cannot trust \S+:\d+: its certificate is for other/);
  }
  assert.doesNotMatch(await dovecot.log(), /user=<ann>/, "it was told neither user name nor password");
});

Deno.test("email: a self-signed certificate is refused, unless it is configured as its own authority", async () => {
  await using dovecot = await Dovecot.start("self-signed");
  const unknown = pollerOf(dovecot, { certificateAuthority: undefined });
  await assertPollError(poll(unknown, null), /^Cannot trust localhost:\d+: .*self-signed.*set certificateAuthority/);
  assert.deepEqual((await poll(pollerOf(dovecot), null)).drafts, []);
});

Deno.test("email: with STARTTLS nothing is said before TLS, and the certificate is checked", async () => {
  await using dovecot = await Dovecot.start();
  const starttls = { tls: "starttls", port: dovecot.imapPort };
  const { cursor } = await poll(pollerOf(dovecot, starttls), null);
  await dovecot.deliver([plainMail(1)]);
  assert.deepEqual(subjectsOf((await pollAll(pollerOf(dovecot, starttls), cursor)).drafts), ["Mail 1"]);
  await assertPollError(
    poll(pollerOf(dovecot, { ...starttls, certificateAuthority: undefined }), null),
    /^Cannot trust localhost/,
  );
  assert.match(await dovecot.log(), /user=<ann>.* TLS/);
});

Deno.test("email: TLS on the port of STARTTLS is explained", async () => {
  await using dovecot = await Dovecot.start();
  await assertPollError(poll(pollerOf(dovecot, { port: dovecot.imapPort }), null), /^Cannot speak TLS .*starttls/);
});

Deno.test("email: without TLS only this machine is polled", async () => {
  await using dovecot = await Dovecot.start();
  await poll(pollerOf(dovecot, { tls: "none", port: dovecot.imapPort }), null);
  for (const host of ["imap.example.com", "10.0.0.1", "localhost.example.com", "127.0.0.1.example.com"]) {
    const settings = { config: { host, username: "ann", tls: "none" }, secrets: { password: "a password" } };
    assert.deepEqual(email.faultsOf(settings, true).map(({ pointer }) => pointer), ["/config/tls"], host);
  }
});

Deno.test("email: the host is a name or an address, and no URL", () => {
  const pointersOf = (host: string) => {
    const settings = { config: { host, username: "mira" }, secrets: { password: "a password" } };
    return email.faultsOf(settings, true).map(({ pointer }) => pointer);
  };
  for (const host of ["imap.example.com", "192.0.2.7", "2001:db8::7"]) assert.deepEqual(pointersOf(host), [], host);
  for (const host of ["https://imap.example.com", "imap example com", "mira@example.com", "a\nb"]) {
    assert.ok(pointersOf(host).includes("/config/host"), host);
  }
});

Deno.test("email: what is no certificate is no authority", () => {
  for (const certificateAuthority of ["", "trust me", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]) {
    const config = { host: "imap.example.com", username: "ann", certificateAuthority };
    const [fault] = email.faultsOf({ config, secrets: { password: "a password" } }, true);
    assert.equal(fault?.pointer, "/config/certificateAuthority", certificateAuthority);
  }
});

Deno.test("email: a server that is not there is told of, by host and port", async () => {
  const [port = 0] = freePorts(1);
  await assertPollError(poll(openEmail({ host: "localhost", port, username: "ann" }), null), /refuses connections/);
  await assertPollError(
    poll(openEmail({ host: "no-such-host.invalid", username: "ann" }), null),
    /^Cannot reach the mail server: no address is known for "no-such-host\.invalid"/,
  );
});

Deno.test("email: a mailbox that does not exist is told of, and one with an odd name is found", async () => {
  await using dovecot = await Dovecot.start();
  await assertPollError(
    poll(pollerOf(dovecot, { mailbox: "Archive" }), null),
    /^Cannot open the mailbox "Archive" on localhost:\d+: the server says ".*doesn't exist/,
  );
  // "Entwürfe & 日本 😀" in modified UTF-7.
  const folder = "Entw&APw-rfe &- &ZeVnLA- &2D3eAA-";
  await dovecot.makeMailbox(folder);
  const poller = pollerOf(dovecot, { mailbox: "Entwürfe & 日本 😀" });
  const { cursor } = await poll(poller, null);
  await dovecot.deliver([plainMail(1)], { mailbox: folder });
  const [draft] = (await pollAll(poller, cursor)).drafts;
  assert.equal(payloadOf(draft).mailbox, "Entwürfe & 日本 😀");
});

Deno.test("email: of a mail of 50 MB little is fetched, and its files are listed", async () => {
  await using dovecot = await Dovecot.start();
  const { cursor } = await poll(pollerOf(dovecot), null);
  const line = `${"A".repeat(76)}\r\n`;
  const size = 641_026 * line.length;
  const head = [
    "From: ann@example.com",
    "Subject: Large",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: application/zip; name=large.zip",
    "Content-Transfer-Encoding: base64",
    "",
    "",
  ];
  const tail = ["--b", "Content-Type: text/plain", "", "The text comes last. ".repeat(50_000), "--b--", ""];
  await dovecot.deliver([head.join("\r\n") + line.repeat(641_026) + tail.join("\r\n")]);
  using proxy = new CountingProxy(dovecot.imapsPort);
  const { drafts } = await pollAll(pollerOf(dovecot, { port: proxy.port, previewLength: 40 }), cursor);
  const { preview, previewTruncated, attachments, size: whole } = payloadOf(drafts[0]);
  assert.deepEqual([preview, previewTruncated], ["The text comes last. The text comes last", true]);
  const [attachment] = attachments;
  assert.deepEqual([attachment?.name, attachment?.contentType], ["large.zip", "application/zip"]);
  assert.ok(Math.abs((attachment?.size ?? 0) - size) <= 2, `${attachment?.size} of ${size}`);
  assert.ok(whole > 50_000_000);
  assert.ok(proxy.bytes < 150_000, `${proxy.bytes} bytes were read`);
});

Deno.test("email: a server that accepts and says nothing, or stops in the middle, is left when the time is over", async () => {
  await using dovecot = await Dovecot.start();
  const { cursor } = await pollAll(pollerOf(dovecot), null);
  await dovecot.deliver(Array.from({ length: 40 }, (_, index) => plainMail(index + 1, "x".repeat(3_000))));
  for (const at of [0, 1, 3_000, 20_000]) {
    const hung = Promise.withResolvers<void>();
    const never = Promise.withResolvers<void>();
    await using silent = new ScriptedServer("", () => undefined, () => hung.resolve());
    using proxy = new CountingProxy(dovecot.imapsPort, at, () => {
      hung.resolve();
      return never.promise;
    });
    const stop = new AbortController();
    const polling = poll(pollerOf(dovecot, { port: at === 0 ? silent.port : proxy.port }), cursor, stop.signal);
    polling.catch(() => {});
    await hung.promise;
    stop.abort();
    await assertPollError(polling, /it took too long/);
    await (at === 0 ? silent.idle() : proxy.idle());
    never.resolve();
  }
});

Deno.test("email: after each poll, good or bad, all connections are closed", async () => {
  await using dovecot = await Dovecot.start();
  using proxy = new CountingProxy(dovecot.imapsPort);
  const config = { port: proxy.port };
  await poll(pollerOf(dovecot, config), null);
  await poll(pollerOf(dovecot, config, "wrong"), null).catch(() => {});
  await poll(pollerOf(dovecot, { ...config, mailbox: "None" }), null).catch(() => {});
  await poll(pollerOf(dovecot, { ...config, certificateAuthority: undefined }), null).catch(() => {});
  await proxy.idle();
  assert.equal(proxy.connections, 4);
});
