import ICAL from "ical.js";
import assert from "node:assert/strict";
import { zonesOf } from "./timezones.ts";
import { DAY, ianaZone, utc } from "./zones.ts";

const HALF_HOUR = 1_800_000;

interface Change {
  readonly at: string;
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

/** A zone of a calendar's own, by its changes as VTIMEZONE has them. */
function ownZone(standard: Change, daylight: Change) {
  const observance = (kind: string, { at, rule, from, to }: Change) => [
    `BEGIN:${kind}`,
    `DTSTART:${at}`,
    `RRULE:${/^FREQ/.test(rule) ? rule : `FREQ=YEARLY;${rule}`}`,
    `TZOFFSETFROM:${from}`,
    `TZOFFSETTO:${to}`,
    `END:${kind}`,
  ];
  const lines = [
    "BEGIN:VCALENDAR",
    "BEGIN:VTIMEZONE",
    "TZID:Our own",
    ...observance("STANDARD", standard),
    ...observance("DAYLIGHT", daylight),
    "END:VTIMEZONE",
    "END:VCALENDAR",
  ];
  return zonesOf(ICAL.Component.fromString(lines.join("\r\n")), utc)("Our own");
}

const zones = {
  "Europe/Berlin": ownZone(
    { at: "19701025T030000", rule: "BYMONTH=10;BYDAY=-1SU", from: "+0200", to: "+0100" },
    { at: "19700329T020000", rule: "BYMONTH=3;BYDAY=-1SU", from: "+0100", to: "+0200" },
  ),
  // As Outlook writes zones: since 1601, and from a day that the rule does not have.
  "Europe/Vienna": ownZone(
    { at: "16010101T030000", rule: "BYDAY=-1SU;BYMONTH=10", from: "+0200", to: "+0100" },
    { at: "16010101T020000", rule: "BYDAY=-1SU;BYMONTH=3", from: "+0100", to: "+0200" },
  ),
  // Where winter is the exception.
  "Europe/Dublin": ownZone(
    { at: "19710328T010000", rule: "BYMONTH=3;BYDAY=-1SU", from: "+0000", to: "+0100" },
    { at: "19711031T020000", rule: "BYMONTH=10;BYDAY=-1SU", from: "+0100", to: "+0000" },
  ),
  "America/New_York": ownZone(
    { at: "19701101T020000", rule: "BYMONTH=11;BYDAY=1SU", from: "-0400", to: "-0500" },
    { at: "19700308T020000", rule: "BYMONTH=3;BYDAY=2SU", from: "-0500", to: "-0400" },
  ),
  "Australia/Lord_Howe": ownZone(
    { at: "19700405T020000", rule: "BYMONTH=4;BYDAY=1SU", from: "+1100", to: "+1030" },
    { at: "19701004T020000", rule: "BYMONTH=10;BYDAY=1SU", from: "+1030", to: "+1100" },
  ),
};

for (const [name, own] of Object.entries(zones)) {
  Deno.test(`a calendar's own zone with the rules of ${name} tells the same as that, also when clocks change`, () => {
    const zone = ianaZone(name) ?? assert.fail("no time zone database");
    const offsetAt = (instant: number) => zone.wallOf(instant) - instant;
    const days = Array.from({ length: 366 }, (_, day) => Date.UTC(2026, 0, 1) + day * DAY);
    const changing = days.filter((day) => offsetAt(day) !== offsetAt(day + DAY));
    assert.equal(changing.length, 2);
    const around = changing.flatMap((day) => Array.from({ length: 192 }, (_, half) => day - DAY + half * HALF_HOUR));
    for (const time of [...days, ...around]) {
      const clock = new Date(time).toISOString();
      assert.equal(new Date(own.instantOf(time)).toISOString(), new Date(zone.instantOf(time)).toISOString(), clock);
      assert.equal(new Date(own.wallOf(time)).toISOString(), new Date(zone.wallOf(time)).toISOString(), clock);
    }
  });
}

const oddRules = ["FREQ=SECONDLY", "FREQ=DAILY;INTERVAL=7;BYDAY=TU", "BYYEARDAY=366;BYMONTH=3", "COUNT=1000000000"];
for (const rule of oddRules) {
  Deno.test(`a zone whose clocks change by ${rule} is given up, and keeps what was found of it`, () => {
    const change = { at: "19700101T020000", rule, from: "+0100", to: "+0200" };
    const zone = ownZone(change, { ...change, at: "19700201T020000" });
    assert.equal(zone.wallOf(Date.UTC(2026, 2, 2, 10)), Date.UTC(2026, 2, 2, 12));
    assert.equal(zone.instantOf(Date.UTC(1960, 2, 2, 12)), Date.UTC(1960, 2, 2, 11));
  });
}

Deno.test("a zone keeps the offset of its last change, whether a rule, a date or nothing else has it", () => {
  const ended = { rule: "BYMONTH=3;BYDAY=-1SU;UNTIL=20100328T010000Z", from: "+0100", to: "+0200" };
  const zone = ownZone({ at: "19700101T020000", rule: "COUNT=1", from: "+0300", to: "+0100" }, {
    at: "19700329T020000",
    ...ended,
  });
  assert.equal(zone.wallOf(Date.UTC(2026, 0, 1)), Date.UTC(2026, 0, 1, 2));
  assert.equal(zone.wallOf(Date.UTC(1970, 1, 1)), Date.UTC(1970, 1, 1, 1));
  assert.equal(zone.wallOf(Date.UTC(1969, 1, 1)), Date.UTC(1969, 1, 1, 3));
});
