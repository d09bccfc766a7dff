/** The e-mail connector and servers that say what real ones rarely do. */
import assert from "node:assert/strict";
import { assertPollError, openEmail, payloadOf, poll, pollAll, subjectsOf } from "./support/dovecot/polling.ts";
import { type Answer, ScriptedServer } from "./support/dovecot/scripted_server.ts";

const PASSWORD = 'a "päss\\word"';
const HEADER = "Subject: Scripted\r\nMessage-ID: <1@example.com>\r\n\r\n";

/** Answers as a simple server does: one without SASL, on whose mailbox there is one mail since the last poll. */
const simple: Answer = ({ tag, rest }) => {
  if (rest === "CAPABILITY") return `* CAPABILITY IMAP4rev1\r\n${tag} OK\r\n`;
  if (rest.startsWith("LOGIN") || /\{\d+\}$/.test(rest)) return "+ go on\r\n";
  if (rest.startsWith("EXAMINE")) return `* OK [UIDVALIDITY 7] valid\r\n* OK [UIDNEXT 3] next\r\n${tag} OK\r\n`;
  if (rest.startsWith("UID SEARCH")) return `* SEARCH 2\r\n${tag} OK\r\n`;
  if (rest.startsWith("UID FETCH 2 (UID INTERNALDATE")) {
    const structure = '("TEXT" "PLAIN" NIL NIL NIL "7BIT" 5 1)';
    return `* 1 FETCH (UID 2 INTERNALDATE "02-Mar-2026 11:00:00 +0000" RFC822.SIZE 60 BODYSTRUCTURE ${structure} ` +
      `BODY[HEADER]<0> {${HEADER.length}}\r\n${HEADER})\r\n${tag} OK\r\n`;
  }
  if (rest.startsWith("UID FETCH")) return `* 1 FETCH (UID 2 BODY[1]<0> "Hello")\r\n${tag} OK\r\n`;
  return /^A\d+$/.test(tag) ? `${tag} BAD what?\r\n` : "A2 OK logged in\r\n";
};

const opened = (server: ScriptedServer, tls = "none") =>
  openEmail({ host: "127.0.0.1", port: server.port, username: "änn", tls, previewLength: 10_000 }, PASSWORD);
const cursor = { place: "änn/INBOX", uidValidity: 7, uid: 1, newest: { at: "2026-03-02T10:00:00.000Z", marks: [] } };

Deno.test("email: a server without SASL is told user name and password as literals, in UTF-8", async () => {
  await using server = new ScriptedServer("* OK ready\r\n", simple);
  const { drafts } = await pollAll(opened(server), cursor);
  assert.deepEqual(subjectsOf(drafts), ["Scripted"]);
  assert.equal(payloadOf(drafts[0]).preview, "Hello");
  assert.deepEqual(server.lines.slice(1, 4), ["A2 LOGIN {4}", "änn {14}", PASSWORD]);
  assert.ok(server.lines.every((line) => !/SELECT|STORE|BODY\[/.test(line)), "nothing that changes a flag was said");
});

Deno.test("email: what a server says unasked of other mails, or of those that are gone, is no event", async () => {
  await using server = new ScriptedServer("* OK ready\r\n", (line) => {
    const { tag, rest } = line;
    if (rest.startsWith("UID SEARCH")) return `* 9 EXISTS\r\n* SEARCH 1 2 99\r\n* SEARCH\r\n${tag} OK\r\n`;
    if (!rest.startsWith("UID FETCH")) return simple(line);
    const unasked = "* 5 FETCH (FLAGS (\\Seen))\r\n* 2 FETCH (UID 99 FLAGS ())\r\n* 3 EXPUNGE\r\n";
    return unasked + (simple(line) ?? "").replace(`${tag} OK`, `${tag} NO [EXPUNGEISSUED] Some are gone`);
  });
  const { drafts } = await pollAll(opened(server), cursor);
  assert.deepEqual(drafts.map(({ key }) => key), ["INBOX/7/2/<1@example.com>"]);
  await using empty = new ScriptedServer(
    "* OK ready\r\n",
    (line) => line.rest.startsWith("UID FETCH") ? `${line.tag} OK nothing\r\n` : simple(line),
  );
  const gone = await poll(opened(empty), cursor);
  assert.deepEqual([gone.drafts, gone.more], [[], false]);
});

Deno.test("email: another mail under a name that was given before, as in a mailbox that was restored, has another key", async () => {
  const keyWith = async (messageId: string) => {
    await using server = new ScriptedServer(
      "* OK ready\r\n",
      (line) => simple(line)?.replace("<1@example.com>", messageId),
    );
    const { drafts: [draft] } = await pollAll(opened(server), cursor);
    return draft?.key;
  };
  assert.equal(await keyWith("<1@example.com>"), await keyWith("<1@example.com>"));
  assert.notEqual(await keyWith("<1@example.com>"), await keyWith("<2@example.com>"));
});

Deno.test("email: a mail with a structure that nobody can read is told of by its header, and holds up no other", async () => {
  const long = "n".repeat(5_000_000);
  const odd = [
    `("APPLICATION" "X" ("NAME" "${long}") NIL NIL "7BIT" 5)`,
    `("APPLICATION" "X" ("NAME" {${long.length}}\r\n${long}) NIL NIL "7BIT" 5)`,
    `${"(".repeat(300)}"TEXT" "PLAIN" NIL NIL NIL "7BIT" 5 1${') "MIXED"'.repeat(299)})`,
  ];
  for (const structure of odd) {
    await using server = new ScriptedServer("* OK ready\r\n", (line) => {
      const { tag, rest } = line;
      if (rest.startsWith("EXAMINE")) return simple(line)?.replace("UIDNEXT 3", "UIDNEXT 4");
      if (rest.startsWith("UID SEARCH")) return `* SEARCH 2 3\r\n${tag} OK\r\n`;
      if (!rest.includes("INTERNALDATE")) return simple(line)?.replace("UID 2", "UID 3");
      const told = simple({ tag: "", rest: "UID FETCH 2 (UID INTERNALDATE" })?.slice(0, -" OK\r\n".length) ?? "";
      if (!rest.includes("BODYSTRUCTURE")) return `${told.replace(/BODYSTRUCTURE \(.*?\) /, "")}${tag} OK\r\n`;
      const first = told.replace(/BODYSTRUCTURE \(.*?\) /, () => `BODYSTRUCTURE ${structure} `);
      return `${first}${told.replace("* 1", "* 2").replace("UID 2", "UID 3")}${tag} OK\r\n`;
    });
    const { drafts } = await pollAll(opened(server), cursor);
    assert.deepEqual(drafts.map((draft) => [draft.key, payloadOf(draft).preview]), [
      ["INBOX/7/2/<1@example.com>", ""],
      ["INBOX/7/3/<1@example.com>", "Hello"],
    ]);
  }
});

Deno.test("email: large mails share a page while they are not too large together, and each has one by itself", async () => {
  const sizes = new Map([[2, 30_000_000], [3, 30_000_000], [4, 30_000_000], [5, 100_000_000], [6, 60]]);
  const asked: string[] = [];
  await using server = new ScriptedServer("* OK ready\r\n", (line) => {
    const { tag, rest } = line;
    if (rest.startsWith("EXAMINE")) return simple(line)?.replace("UIDNEXT 3", "UIDNEXT 7");
    const [, first = 0] = (/^UID SEARCH UID (\d+)/.exec(rest) ?? []).map(Number);
    if (first > 0) return `* SEARCH ${[...sizes.keys()].filter((uid) => uid >= first).join(" ")}\r\n${tag} OK\r\n`;
    const [, set = "", items = ""] = /^UID FETCH (\S+) \(UID (\S+)/.exec(rest) ?? [];
    if (set === "") return simple(line);
    if (items.startsWith("INTERNALDATE")) asked.push(set);
    const [from = 0, to = from] = set.split(":").map(Number);
    const told = simple({ tag: "", rest: items.startsWith("BODY") ? rest : "UID FETCH 2 (UID INTERNALDATE" });
    const each = [...sizes].filter(([uid]) => uid >= from && uid <= to).map(([uid, size]) =>
      told?.slice(0, -" OK\r\n".length).replace("UID 2", `UID ${uid}`).replace("SIZE 60", `SIZE ${size}`)
    );
    return `${each.join("")}${tag} OK\r\n`;
  });
  const { drafts, pages } = await pollAll(opened(server), cursor);
  assert.deepEqual(drafts.map((draft) => [payloadOf(draft).uid, payloadOf(draft).size]), [...sizes]);
  assert.deepEqual([asked, pages], [["2:3", "4", "5", "6"], 4]);
});

Deno.test("email: of a text of many lines the first are read, and the preview is said to be cut", async () => {
  const text = "x\r\n".repeat(20_000);
  await using server = new ScriptedServer(
    "* OK ready\r\n",
    (line) => simple(line)?.replace('BODY[1]<0> "Hello"', `BODY[1]<0> {${text.length}}\r\n${text}`),
  );
  const { drafts: [draft] } = await pollAll(opened(server), cursor);
  const { preview, previewTruncated } = payloadOf(draft);
  assert.deepEqual([preview.split("\n").length, previewTruncated], [2_000, true]);
});

Deno.test("email: a page that cannot be fetched is no page: the poll fails, and the cursor stays", async () => {
  await using server = new ScriptedServer(
    "* OK ready\r\n",
    (line) => line.rest.startsWith("UID FETCH") ? `${line.tag} NO [SERVERBUG] Internal error\r\n` : simple(line),
  );
  await assertPollError(poll(opened(server), cursor), /refuses UID FETCH: \[SERVERBUG\] Internal error/, PASSWORD);
});

Deno.test("email: with STARTTLS no password is told to who greets as if logged in, refuses TLS or speaks ahead of it", async () => {
  const servers: [string, Answer, RegExp][] = [
    ["* PREAUTH welcome\r\n", simple, /greets with/],
    ["* BYE too many connections\r\n", simple, /too many connections/],
    ["* OK ready\r\n", ({ tag }) => `${tag} NO not today\r\n`, /refuses STARTTLS with "not today"/],
    [
      "* OK ready\r\n",
      ({ tag }) => `${tag} OK go\r\n* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n`,
      /between STARTTLS and TLS/,
    ],
  ];
  for (const [greeting, answer, message] of servers) {
    await using server = new ScriptedServer(greeting, answer);
    await assertPollError(poll(opened(server, "starttls"), cursor), message, PASSWORD);
    await server.idle();
    assert.ok(server.lines.every((line) => line === "A1 STARTTLS" || line.endsWith("LOGOUT")), server.lines.join());
  }
});

Deno.test("email: a server that never ends its answer is not listened to", async () => {
  const endless: [string, RegExp][] = [
    ["x".repeat(5_000_000), /over \d+ bytes/],
    ["* 1 FETCH (BODY[] {999999999}\r\n", /over \d+ bytes/],
    [`* OK ${"y".repeat(1_000_000)}\r\n`.repeat(40), /does not end/],
  ];
  for (const [said, message] of endless) {
    await using server = new ScriptedServer(
      "* OK ready\r\n",
      (line) => line.rest.startsWith("UID SEARCH") ? said : simple(line),
    );
    await assertPollError(poll(opened(server), cursor), message, PASSWORD);
  }
});

Deno.test("email: a server that asks more of a login than there is to say is told that this is all", async () => {
  await using server = new ScriptedServer("* OK ready\r\n", ({ tag, rest }) => {
    if (rest === "CAPABILITY") return `* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n${tag} OK\r\n`;
    return tag === "*" ? "A2 BAD cancelled\r\n" : "+ \r\n";
  });
  await assertPollError(poll(opened(server), cursor), /^Cannot log in to 127\.0\.0\.1:\d+ as "änn"/, PASSWORD);
});
