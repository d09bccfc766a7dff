import assert from "node:assert/strict";
import { type Entry, parseCalendar } from "./calendar.ts";
import { written } from "./entry.ts";
import { lastEnd, occurrencesOf } from "./occurrences.ts";
import { feedOf } from "./testing.ts";
import { ianaZone, utc, type Zone } from "./zones.ts";

const BERLIN = ianaZone("Europe/Berlin") ?? assert.fail("no time zone database");

const pause = () => Promise.resolve();

async function entryOf(text: string, floating: Zone = utc): Promise<Entry> {
  const [entry] = (await parseCalendar(text, floating, pause)).entries;
  return entry ?? assert.fail("no entry");
}

async function starts(text: string, from: string, to: string, floating: Zone = utc): Promise<string[]> {
  return occurrencesOf(await entryOf(text, floating), Date.parse(from), Date.parse(to))
    .map(({ start }) => new Date(start.instant).toISOString().slice(0, 16))
    .sort();
}

const series = (...lines: string[]) => feedOf(["UID:series", "SUMMARY:Series", ...lines]);

Deno.test("occurrencesOf keeps the wall time of a zone across both changes of the clock", async () => {
  const weekly = series("DTSTART;TZID=Europe/Berlin:20260320T090000", "RRULE:FREQ=WEEKLY");
  assert.deepEqual(await starts(weekly, "2026-03-20T00:00Z", "2026-04-04T00:00Z"), [
    "2026-03-20T08:00",
    "2026-03-27T08:00",
    "2026-04-03T07:00",
  ]);
  assert.deepEqual(await starts(weekly, "2026-10-22T00:00Z", "2026-10-31T00:00Z"), [
    "2026-10-23T07:00",
    "2026-10-30T08:00",
  ]);
});

Deno.test("occurrencesOf takes a time in a gap by the offset before it, and of two equal ones the first", async () => {
  const daily = series("DTSTART;TZID=Europe/Berlin:20260101T023000", "RRULE:FREQ=DAILY");
  assert.deepEqual(await starts(daily, "2026-03-28T12:00Z", "2026-03-30T12:00Z"), [
    "2026-03-29T01:30",
    "2026-03-30T00:30",
  ]);
  assert.deepEqual(await starts(daily, "2026-10-24T12:00Z", "2026-10-26T12:00Z"), [
    "2026-10-25T00:30",
    "2026-10-26T01:30",
  ]);
});

Deno.test("occurrencesOf takes out EXDATE, adds RDATE, and puts an override in its place", async () => {
  const text = feedOf(
    [
      "UID:series",
      "SUMMARY:Daily",
      "DTSTART:20260302T100000Z",
      "DTEND:20260302T103000Z",
      "RRULE:FREQ=DAILY;COUNT=5",
      "EXDATE:20260303T100000Z",
      "RDATE:20260310T150000Z",
    ],
    ["UID:series", "SUMMARY:Moved", "RECURRENCE-ID:20260304T100000Z", "DTSTART:20260304T170000Z"],
    ["UID:series", "RECURRENCE-ID:20260305T100000Z", "DTSTART:20260305T100000Z", "STATUS:CANCELLED"],
  );
  assert.deepEqual(await starts(text, "2026-03-01T00:00Z", "2026-04-01T00:00Z"), [
    "2026-03-02T10:00",
    "2026-03-04T17:00",
    "2026-03-06T10:00",
    "2026-03-10T15:00",
  ]);
});

Deno.test("occurrencesOf ends an occurrence of RDATE when its period does", async () => {
  const entry = await entryOf(series(
    "DTSTART;TZID=Europe/Berlin:20260302T100000",
    "DTEND;TZID=Europe/Berlin:20260302T103000",
    "RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20260303T100000/20260303T150000,20260328T100000/P1DT1H",
    "RDATE;TZID=Europe/Berlin:20260305T100000",
  ));
  const ends = occurrencesOf(entry, Date.parse("2026-03-01T00:00Z"), Date.parse("2026-04-01T00:00Z"))
    .map(({ end }) => new Date(end.instant).toISOString().slice(0, 16)).sort();
  assert.deepEqual(ends, ["2026-03-02T09:30", "2026-03-03T14:00", "2026-03-05T09:30", "2026-03-29T09:00"]);
  assert.equal(lastEnd(entry), Date.parse("2026-03-29T09:00Z"));
});

Deno.test("occurrencesOf moves all later occurrences with an override for this and future ones", async () => {
  const text = feedOf(
    ["UID:series", "DTSTART:20260302T100000Z", "DTEND:20260302T110000Z", "RRULE:FREQ=DAILY;COUNT=4"],
    ["UID:series", "RECURRENCE-ID;RANGE=THISANDFUTURE:20260304T100000Z", "DTSTART:20260304T120000Z"],
  );
  assert.deepEqual(await starts(text, "2026-03-01T00:00Z", "2026-04-01T00:00Z"), [
    "2026-03-02T10:00",
    "2026-03-03T10:00",
    "2026-03-04T12:00",
    "2026-03-05T12:00",
  ]);
});

Deno.test("occurrencesOf begins dates and times without a zone by the clock of the configured one", async () => {
  assert.deepEqual(
    await starts(series("DTSTART;VALUE=DATE:20260701"), "2026-06-30T00:00Z", "2026-07-03T00:00Z", BERLIN),
    ["2026-06-30T22:00"],
  );
  assert.deepEqual(
    await starts(series("DTSTART:20260701T090000"), "2026-06-30T00:00Z", "2026-07-03T00:00Z", BERLIN),
    ["2026-07-01T07:00"],
  );
});

Deno.test("occurrencesOf ends a rule at its UNTIL, in UTC, on the clock, or on its day", async () => {
  const until = async (value: string) =>
    (await starts(
      series("DTSTART;TZID=America/New_York:20260302T200000", `RRULE:FREQ=DAILY;UNTIL=${value}`),
      "2026-03-01T00:00Z",
      "2026-04-01T00:00Z",
    )).length;
  // 20:00 in New York is 01:00 UTC of the next day.
  assert.deepEqual([await until("20260304T010000Z"), await until("20260304T005959Z")], [2, 1]);
  assert.deepEqual([await until("20260304T200000"), await until("20260304")], [3, 3]);
});

Deno.test("occurrencesOf leaves out days that a month does not have", async () => {
  assert.deepEqual(
    await starts(series("DTSTART:20260131T100000Z", "RRULE:FREQ=MONTHLY"), "2026-01-01T00:00Z", "2026-06-01T00:00Z"),
    ["2026-01-31T10:00", "2026-03-31T10:00", "2026-05-31T10:00"],
  );
  assert.deepEqual(
    await starts(
      series("DTSTART:20260101T100000Z", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"),
      "2026-01-01T00:00Z",
      "2036-01-01T00:00Z",
    ),
    ["2026-01-01T10:00"],
  );
});

Deno.test("occurrencesOf leaves out the first of March where a year has no 29 February", async () => {
  const leapDays = series("DTSTART:19040229T100000Z", "RRULE:FREQ=YEARLY");
  assert.deepEqual(await starts(leapDays, "2025-01-01T00:00Z", "2030-01-01T00:00Z"), ["2028-02-29T10:00"]);
});

Deno.test("occurrencesOf takes every fourth month though others are named, and no week that is not", async () => {
  const months = series("DTSTART:20260112T100000Z", "RRULE:FREQ=MONTHLY;INTERVAL=4;BYMONTH=1,5,7");
  assert.deepEqual(await starts(months, "2026-01-01T00:00Z", "2027-12-01T00:00Z"), [
    "2026-01-12T10:00",
    "2026-05-12T10:00",
    "2027-01-12T10:00",
    "2027-05-12T10:00",
  ]);
  const week = series("DTSTART:20260514T100000Z", "RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=TH");
  assert.deepEqual(await starts(week, "2026-01-01T00:00Z", "2026-12-31T00:00Z"), ["2026-05-14T10:00"]);
});

Deno.test("occurrencesOf reaches the present of a series that began long ago", async () => {
  for (const rule of ["FREQ=SECONDLY;INTERVAL=3600", "FREQ=MINUTELY;INTERVAL=60", "FREQ=HOURLY"]) {
    const found = await starts(
      series("DTSTART:19700101T000000Z", `RRULE:${rule}`),
      "2026-03-02T00:30Z",
      "2026-03-02T02:30Z",
    );
    assert.deepEqual(found, ["2026-03-02T01:00", "2026-03-02T02:00"], rule);
  }
  const counted = async (count: number, more = "") =>
    await starts(
      series("DTSTART:20200101T100000Z", `RRULE:FREQ=DAILY;COUNT=${count}${more}`),
      "2026-03-01T00:00Z",
      "2027-01-01T00:00Z",
    );
  // 2026-03-02 is the 2,253rd day.
  assert.deepEqual([await counted(2251), await counted(2253)], [[], ["2026-03-01T10:00", "2026-03-02T10:00"]]);
  assert.deepEqual(await counted(2253, ";BYHOUR=10"), await counted(2253));
  const fortnightly = series("DTSTART:19990104T100000Z", "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE");
  assert.deepEqual(await starts(fortnightly, "2026-03-01T00:00Z", "2026-03-14T00:00Z"), [
    "2026-03-09T10:00",
    "2026-03-11T10:00",
  ]);
  const workdays = series("DTSTART:20040102T100000Z", "RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR");
  assert.deepEqual(await starts(workdays, "2026-03-06T00:00Z", "2026-03-10T00:00Z"), [
    "2026-03-06T10:00",
    "2026-03-09T10:00",
  ]);
  const everyFiveMonths = series("DTSTART:19990131T100000Z", "RRULE:FREQ=MONTHLY;INTERVAL=5");
  assert.deepEqual(await starts(everyFiveMonths, "2026-01-01T00:00Z", "2027-12-31T00:00Z"), [
    "2026-07-31T10:00",
    "2026-12-31T10:00",
    "2027-05-31T10:00",
    "2027-10-31T10:00",
  ]);
});

for (
  const rule of [
    "FREQ=SECONDLY",
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=DAILY;INTERVAL=7;BYDAY=TU",
    "FREQ=YEARLY;BYYEARDAY=366;BYMONTH=3",
    "FREQ=MONTHLY;BYDAY=5MO;BYSETPOS=9",
    "FREQ=SECONDLY;COUNT=1000000000",
    "FREQ=WEEKLY;INTERVAL=2147483647;BYMONTH=12",
    "FREQ=HOURLY;INTERVAL=2147483647;BYMONTH=12;COUNT=5",
    "FREQ=YEARLY;BYMONTH=6,4;BYDAY=53TU,SU;BYSETPOS=-366",
  ]
) {
  Deno.test(`occurrencesOf gives up ${rule}, and keeps what it found`, async () => {
    const text = series("DTSTART:20260302T100000Z", `RRULE:${rule}`);
    const entry = await entryOf(text);
    const found = occurrencesOf(entry, Date.parse("2026-03-01T00:00Z"), Date.parse("2026-04-01T00:00Z"));
    assert.ok(found.length >= 1 && found.length <= 10_000);
    assert.ok((lastEnd(entry) ?? Infinity) >= Date.parse("2026-03-02T10:00Z"));
  });
}

Deno.test("an entry with more dates and overrides than a call has room for is read all the same", async () => {
  const dates = Array.from({ length: 150_000 }, () => "20260302T100000Z").join(",");
  const moved = ["UID:series", "RECURRENCE-ID:20260302T100000Z", "DTSTART:20260302T110000Z"];
  const text = feedOf(["UID:series", "DTSTART:20260302T100000Z", `RDATE:${dates}`], moved, moved);
  const entry = await entryOf(text);
  assert.equal(lastEnd(entry), null);
  assert.equal(occurrencesOf(entry, Date.parse("2026-03-02T00:00Z"), Date.parse("2026-03-03T00:00Z")).length, 2);
  const [override] = entry.overrides;
  const many = { ...entry, overrides: Array.from({ length: 150_000 }, () => override ?? assert.fail()) };
  assert.equal(occurrencesOf(many, 0, Date.parse("2027-01-01T00:00Z")).length, 150_000);
});

Deno.test("an entry with rules without number is followed by the first of them", async () => {
  const rules = Array.from({ length: 5000 }, () => "RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=TU;COUNT=5");
  const entry = await entryOf(series("DTSTART:20260302T100000Z", "RRULE:FREQ=DAILY", ...rules));
  assert.equal(occurrencesOf(entry, Date.parse("2026-03-01T00:00Z"), Date.parse("2026-03-08T00:00Z")).length, 6);
});

Deno.test("parseCalendar leaves out entries that cannot be read, and reads the others, of each calendar of the text", async () => {
  const text = [
    feedOf(["UID:first", "DTSTART:20260302T100000Z", "DESCRIPTION:a text\r\n  END:VEVENT\u2028END:VEVENT"], [
      "UID:wr",
      " ong",
      "?",
    ])
      .trim(),
    feedOf(["UID:second", "DTSTART;TZID=Other:20260302T100000"]).trim(),
  ].join("\r\n");
  const { entries, unreadable } = await parseCalendar(text, utc, pause);
  assert.deepEqual(entries.map(({ uid }) => uid), ["first", "second"]);
  assert.deepEqual([...unreadable], ["wrong"]);
});

Deno.test("parseCalendar reads an entry once, whatever else the calendar says", async () => {
  let pauses = 0;
  const named = "X-INLET-ENTRY:0\r\n".repeat(1000);
  const text = series("DTSTART:20260302T100000Z").replace("BEGIN:VEVENT", `${named}$&`);
  const { entries } = await parseCalendar(text, utc, () => Promise.resolve(void pauses++));
  assert.deepEqual([entries.length, pauses], [1, 2], "read, and understood");
});

Deno.test("parseCalendar comes to the end of entries that do not, and reads those that do", async () => {
  const unended = "BEGIN:VEVENT\r\n".repeat(60_000);
  const endless = `BEGIN:VCALENDAR\r\n${unended}END:VCALENDAR`;
  await assert.rejects(parseCalendar(endless, utc, pause), /is not what RFC 5545 allows/);
  const whole = series("DTSTART:20260302T100000Z").replace("BEGIN:VEVENT", "BEGIN:VEVENT\r\nwrong\r\nEND:VEVENT\r\n$&");
  const { entries } = await parseCalendar(whole, utc, pause);
  assert.deepEqual(entries.map(({ uid }) => uid), ["series"]);
});

Deno.test("parseCalendar knows zones by IANA name, vendor's name, and the calendar's own definition", async () => {
  const own = [
    "BEGIN:VTIMEZONE",
    "TZID:Ours",
    "BEGIN:STANDARD",
    "DTSTART:20001029T030000",
    "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
    "TZOFFSETFROM:+0300",
    "TZOFFSETTO:+0200",
    "END:STANDARD",
    "BEGIN:DAYLIGHT",
    "DTSTART:20000326T020000",
    "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
    "TZOFFSETFROM:+0200",
    "TZOFFSETTO:+0300",
    "END:DAYLIGHT",
    "END:VTIMEZONE",
  ];
  const at = async (tzid: string, day: string) => {
    const text = series(`DTSTART;TZID=${tzid}:${day}T120000`).replace("X-WR-CALNAME:Team", own.join("\r\n"));
    return written((await entryOf(text, BERLIN)).main.start);
  };
  assert.equal((await at("Asia/Tokyo", "20260701")).local, "2026-07-01T12:00:00+09:00");
  assert.equal((await at("/mozilla.org/20050126_1/Asia/Tokyo", "20260701")).utc, "2026-07-01T03:00:00.000Z");
  assert.deepEqual(await at("Ours", "20260701"), {
    utc: "2026-07-01T09:00:00.000Z",
    local: "2026-07-01T12:00:00+03:00",
    timeZone: "Ours",
    floating: false,
  });
  assert.equal((await at("Ours", "20260101")).local, "2026-01-01T12:00:00+02:00");
  // Nobody knows this one: the configured zone is the best guess.
  assert.equal((await at("Nowhere", "20260701")).timeZone, "Europe/Berlin");
});

Deno.test("an entry ends after exact hours, or after days on the calendar", async () => {
  const end = async (...lines: string[]) => {
    const [found] = occurrencesOf(await entryOf(series(...lines), BERLIN), 0, Date.parse("2027-01-01T00:00Z"));
    return written(found?.end ?? assert.fail("no occurrence")).local;
  };
  const eve = "DTSTART;TZID=Europe/Berlin:20260328T120000";
  assert.equal(await end(eve, "DURATION:P1D"), "2026-03-29T12:00:00+02:00");
  assert.equal(await end(eve, "DURATION:PT24H"), "2026-03-29T13:00:00+02:00");
  assert.equal(await end(eve, "DTEND;TZID=America/New_York:20260328T120000"), "2026-03-28T12:00:00-04:00");
  assert.equal(await end(eve), "2026-03-28T12:00:00+01:00");
  assert.equal(await end("DTSTART;VALUE=DATE:20260328"), "2026-03-29");
  assert.equal(await end("DTSTART;VALUE=DATE:20260328", "DTEND;VALUE=DATE:20260331"), "2026-03-31");
});

Deno.test("lastEnd is when a series is over, and null for one that is not", async () => {
  const last = async (rule: string) =>
    lastEnd(await entryOf(series("DTSTART:20260302T100000Z", "DURATION:PT1H", `RRULE:${rule}`)));
  assert.equal(await last("FREQ=MONTHLY;COUNT=3"), Date.parse("2026-05-02T11:00Z"));
  for (const rule of ["FREQ=DAILY;COUNT=3", "FREQ=WEEKLY;COUNT=9;BYDAY=MO,WE,FR", "FREQ=DAILY;COUNT=9;BYDAY=MO"]) {
    const text = series("DTSTART:20260302T100000Z", "DURATION:PT1H", `RRULE:${rule}`);
    const ends = occurrencesOf(await entryOf(text), 0, Date.parse("2027-01-01T00:00Z")).map(({ end }) => end.instant);
    const later = Number(await last(rule)) - Math.max(...ends);
    assert.ok(later >= 0 && later <= 7 * 86_400_000, `${rule}: the last end, or somewhat later`);
  }
  assert.equal(await last("FREQ=DAILY"), null);
  assert.ok(Number(await last("FREQ=DAILY;UNTIL=20260304T100000Z")) >= Date.parse("2026-03-04T11:00Z"));
});
