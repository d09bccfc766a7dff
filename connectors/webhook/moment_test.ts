import assert from "node:assert/strict";
import { freshAt, momentOf, written } from "./moment.ts";
import { presets } from "./presets.ts";
import type { Preset } from "./settings.ts";
import { ARRIVAL } from "./testing.ts";

const settings = (timestampFormat: Preset["timestampFormat"]) => ({ ...presets.custom, timestampFormat });
const faultOf = (text: string, format: Preset["timestampFormat"]) => {
  const verdict = freshAt(text, "it", ARRIVAL, settings(format));
  return verdict.authentic ? "authentic" : verdict.fault;
};

for (const format of ["seconds", "milliseconds", "rfc3339"] as const) {
  Deno.test(`freshAt reads what is written in ${format}, and refuses it when it is late`, () => {
    const text = (offMs: number) => written(new Date(ARRIVAL.getTime() + offMs), format);
    assert.deepEqual(
      [-301_000, -300_000, 0, 300_000, 301_000].map((off) => faultOf(text(off), format)),
      ["stale", "authentic", "authentic", "authentic", "stale"],
    );
    for (
      const odd of ["", " ", "now", "-1", "1e9", "NaN", "0x5", "9".repeat(40), "2026-13-40T99:99:99Z", "1772452800,1"]
    ) {
      assert.equal(faultOf(odd, format), "malformed", odd);
    }
  });
}

Deno.test("freshAt takes a time without an offset for no time", () => {
  assert.equal(faultOf("2026-03-02T12:00:00", "rfc3339"), "malformed");
  assert.equal(faultOf("2026-03-02T13:00:00.5+01:00", "rfc3339"), "authentic");
});

for (
  const [text, time] of [
    ["1772452800", "2026-03-02T12:00:00.000Z"],
    ["1772452800.25", "2026-03-02T12:00:00.250Z"],
    ["1772452800250", "2026-03-02T12:00:00.250Z"],
    ["2026-03-02T13:00:00+01:00", "2026-03-02T12:00:00.000Z"],
    ["2026-03-02T12:00:00.123456789Z", "2026-03-02T12:00:00.123Z"],
    ["2026-03-02 12:00:00", "2026-03-02T12:00:00.000Z"],
    ["2026-03-02", "2026-03-02T00:00:00.000Z"],
  ] as const
) {
  Deno.test(`momentOf reads ${text}`, () => assert.equal(momentOf(text, new Date(0)).toISOString(), time));
}

Deno.test("momentOf gives the other time for what is none", () => {
  for (const text of [null, "", "yesterday", "March 7", "12/03/2026", "2026-02-31T99:00:00Z", "9".repeat(15), "-5"]) {
    assert.equal(momentOf(text, ARRIVAL), ARRIVAL, String(text));
  }
});
