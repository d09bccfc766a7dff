/** The e-mail connector against a real mail server, which is sent mails, killed, restarted and numbered anew. */
import assert from "node:assert/strict";
import { cursorSchema } from "../connectors/email/cursor.ts";
import { Dovecot } from "./support/dovecot.ts";
import { plainMail, plainMails } from "./support/dovecot/mails.ts";
import { minutesAgo, payloadOf, poll, pollAll, pollerOf, subjectsOf } from "./support/dovecot/polling.ts";

const numbered = (first: number, last: number) => plainMails(first, last).map((_, index) => `Mail ${first + index}`);

const fixtures = new URL("../connectors/email/fixtures/", import.meta.url);
const fixtureNames = (await Array.fromAsync(Deno.readDir(fixtures), ({ name }) => name))
  .filter((name) => name.endsWith(".eml")).map((name) => name.slice(0, -".eml".length)).sort();

Deno.test("email: what is in the mailbox at the first poll is no event, each mail after it is one, and none is touched", async () => {
  await using dovecot = await Dovecot.start();
  await dovecot.deliver(plainMails(1, 3), { receivedAt: minutesAgo(60) });
  const poller = pollerOf(dovecot);
  const first = await pollAll(poller, null);
  assert.deepEqual(first.drafts, []);
  await dovecot.deliver([plainMail(4)], { receivedAt: minutesAgo(1) });
  const second = await pollAll(poller, first.cursor);
  assert.deepEqual(subjectsOf(second.drafts), ["Mail 4"]);
  const [draft] = second.drafts;
  assert.equal(draft?.occurredAt.toISOString(), minutesAgo(1).toISOString());
  assert.equal(draft?.key, "INBOX/1700000001/4/<4@example.com>");
  assert.deepEqual((await pollAll(poller, second.cursor)).drafts, []);
  const files = await dovecot.files();
  assert.equal(files.length, 4);
  for (const file of files) assert.match(file, /^new\/[^,]+$/, "no flag was set, and it is still recent");
});

for (const name of fixtureNames) {
  Deno.test(`email: the mail ${name} becomes exactly the event beside it, through the server`, async () => {
    await using dovecot = await Dovecot.start();
    const poller = pollerOf(dovecot);
    const { cursor } = await pollAll(poller, null);
    await dovecot.deliver([await Deno.readFile(new URL(`${name}.eml`, fixtures))], { receivedAt: minutesAgo(1) });
    const { drafts } = await pollAll(poller, cursor);
    const expected = new URL(`${name}.events.json`, fixtures);
    assert.deepEqual(JSON.parse(JSON.stringify(drafts)), JSON.parse(await Deno.readTextFile(expected)));
    for (const draft of drafts) assert.deepEqual(payloadOf(draft), draft.payload, "nothing undocumented");
  });
}

Deno.test("email: of 500 mails none is lost and none comes twice, page by page, with the same keys in a repeat", async () => {
  await using dovecot = await Dovecot.start();
  const poller = pollerOf(dovecot);
  const { cursor } = await pollAll(poller, null);
  await dovecot.deliver(plainMails(1, 500), { receivedAt: minutesAgo(1) });
  const polled = await pollAll(poller, cursor);
  assert.deepEqual(subjectsOf(polled.drafts), numbered(1, 500));
  assert.equal(polled.pages, 10);
  assert.equal(new Set(polled.drafts.map(({ key }) => key)).size, 500);
  assert.deepEqual((await pollAll(poller, cursor)).drafts, polled.drafts, "a page that is polled again is the same");
  assert.ok(JSON.stringify(polled.cursor).length < 20_000, "the cursor stays small");
});

Deno.test("email: mails far apart in their UIDs are found", async () => {
  await using dovecot = await Dovecot.start();
  const poller = pollerOf(dovecot);
  await dovecot.deliver([plainMail(1)]);
  const { cursor } = await pollAll(poller, null);
  const far = { ...cursorSchema.parse(cursor), uidValidity: 1_700_000_002, uid: 1 };
  await dovecot.renumber({ uidValidity: 1_700_000_002, uidNext: 4_000_000 });
  assert.deepEqual(subjectsOf((await pollAll(poller, far)).drafts), ["Mail 1"]);
});

Deno.test("email: after a change of UIDVALIDITY the mails since the last poll are events, those before are not", async () => {
  await using dovecot = await Dovecot.start();
  const poller = pollerOf(dovecot);
  await dovecot.deliver(plainMails(1, 30), { receivedAt: minutesAgo(60) });
  const first = await pollAll(poller, null);
  await dovecot.deliver(plainMails(31, 60), { receivedAt: minutesAgo(30) });
  const second = await pollAll(poller, first.cursor);
  assert.deepEqual(subjectsOf(second.drafts), numbered(31, 60));
  // Of the very second of the last mail that was seen: told from it by more than the time.
  await dovecot.deliver([plainMail(61)], { receivedAt: minutesAgo(30) });
  await dovecot.deliver(plainMails(62, 180), { receivedAt: minutesAgo(10) });
  await dovecot.renumber({ uidValidity: 1_700_009_999, uidNext: 1 });
  const third = await poll(poller, second.cursor);
  assert.equal(third.more, true);
  const rest = await pollAll(poller, third.cursor);
  const drafts = [...third.drafts, ...rest.drafts];
  assert.deepEqual(subjectsOf(drafts), numbered(61, 180));
  assert.ok(
    drafts.every(({ key }) => key.startsWith("INBOX/1700009999/")),
    "the new UIDs are under the new UIDVALIDITY",
  );
  await dovecot.deliver([plainMail(181)], { receivedAt: minutesAgo(5) });
  assert.deepEqual(subjectsOf((await pollAll(poller, rest.cursor)).drafts), ["Mail 181"], "and it goes on as before");
});

Deno.test("email: a second change of UIDVALIDITY before all is read again loses nothing", async () => {
  await using dovecot = await Dovecot.start();
  const poller = pollerOf(dovecot);
  await dovecot.deliver(plainMails(1, 10), { receivedAt: minutesAgo(60) });
  const first = await pollAll(poller, null);
  await dovecot.deliver(plainMails(11, 130), { receivedAt: minutesAgo(10) });
  await dovecot.renumber({ uidValidity: 1_700_000_002, uidNext: 1 });
  const second = await poll(poller, first.cursor);
  await dovecot.renumber({ uidValidity: 1_700_000_003, uidNext: 1 });
  const rest = await pollAll(poller, second.cursor);
  assert.deepEqual([...new Set(subjectsOf([...second.drafts, ...rest.drafts]))], numbered(11, 130));
});

Deno.test("email: mails that come after a mailbox was set back, under UIDs that were given before, are events", async () => {
  await using dovecot = await Dovecot.start();
  const poller = pollerOf(dovecot);
  await dovecot.deliver(plainMails(1, 10), { receivedAt: minutesAgo(60) });
  const first = await pollAll(poller, null);
  const later = { ...cursorSchema.parse(first.cursor), uid: 500 };
  await dovecot.deliver([plainMail(11)], { receivedAt: minutesAgo(10) });
  assert.deepEqual(subjectsOf((await pollAll(poller, later)).drafts), ["Mail 11"]);
});

Deno.test("email: in another mailbox events begin anew, whatever the UIDs there", async () => {
  await using dovecot = await Dovecot.start();
  await dovecot.deliver(plainMails(1, 2));
  const { cursor } = await pollAll(pollerOf(dovecot), null);
  await dovecot.makeMailbox("Other");
  await dovecot.deliver(plainMails(3, 6), { mailbox: "Other" });
  const other = pollerOf(dovecot, { mailbox: "Other" });
  const first = await pollAll(other, cursor);
  assert.deepEqual(first.drafts, []);
  await dovecot.deliver([plainMail(7)], { mailbox: "Other" });
  const { drafts } = await pollAll(other, first.cursor);
  assert.deepEqual(drafts.map(({ key }) => key), ["Other/1700000001/5/<7@example.com>"]);
});
