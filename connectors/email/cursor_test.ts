import assert from "node:assert/strict";
import { cursorSchema, type Dated, isNewer, reading, unread } from "./cursor.ts";

const NOW = new Date("2026-03-02T12:00:00.400Z");
const mail = (time: string, messageId: string | null = "<1@x>", size = 10): Dated => ({
  receivedAt: new Date(time),
  size,
  header: { messageId },
});

Deno.test("a reading knows the mails of its last second, and that all later ones are newer", () => {
  const seen = [
    mail("2026-03-02T10:00:00Z", "<a@x>"),
    mail("2026-03-02T11:00:00Z", "<b@x>"),
    mail("2026-03-02T11:00:00Z", null),
  ];
  const newest = reading(unread(NOW), seen, NOW);
  for (const each of seen) assert.equal(isNewer(each, newest), false);
  assert.equal(isNewer(mail("2026-03-02T11:00:00Z", "<c@x>"), newest), true);
  assert.equal(isNewer(mail("2026-03-02T11:00:00Z", null, 11), newest), true);
  assert.equal(isNewer(mail("2026-03-02T11:00:01Z", "<b@x>"), newest), true);
  assert.equal(isNewer(mail("2026-03-02T10:59:59Z", "<c@x>"), newest), false);
});

Deno.test("a reading does not go back for mails that are older, nor ahead for a date that nobody's clock has", () => {
  const newest = reading(unread(NOW), [mail("2026-03-02T11:00:00Z")], NOW);
  assert.deepEqual(reading(newest, [mail("2026-01-01T00:00:00Z"), mail("2027-01-01T00:00:00Z")], NOW), newest);
  const ahead = reading(newest, [mail("2026-03-02T12:10:00Z")], NOW);
  assert.equal(ahead.at, "2026-03-02T12:10:00.000Z", "a server's clock may be some minutes ahead");
});

Deno.test("a reading stays small, however many mails come in a second", () => {
  const flood = Array.from({ length: 3_000 }, (_, index) => mail("2026-03-02T11:00:00Z", `<${index}@x>`));
  const newest = reading(unread(NOW), flood, NOW);
  assert.equal(newest.marks.length, 1_000);
  const cursor = { place: "ann/INBOX", uidValidity: 1, uid: 2, newest, resync: { until: 5, after: newest } };
  assert.deepEqual(cursorSchema.parse(JSON.parse(JSON.stringify(cursor))), cursor);
});
