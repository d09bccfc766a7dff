import assert from "node:assert/strict";
import { instant } from "./time.ts";

const OTHERWISE = new Date(5);

const TIMES = [
  ["2019-05-15T15:20:30+02:00", "2019-05-15T13:20:30.000Z"],
  ["2019-05-15T15:20:30.123456Z", "2019-05-15T15:20:30.123Z"],
  ["2019-05-15T15:20:30", "2019-05-15T15:20:30.000Z"],
  ["2019-05-15t15:20:30", "2019-05-15T15:20:30.000Z"],
  ["2019-05-15 15:20:30", "2019-05-15T15:20:30.000Z"],
  ["2019-05-15 15:20:30 UTC", "2019-05-15T15:20:30.000Z"],
  ["2019-05-15", "2019-05-15T00:00:00.000Z"],
  ["0033-04-03T12:00:00Z", "0033-04-03T12:00:00.000Z"],
  [1_557_933_565, "2019-05-15T15:19:25.000Z"],
] as const;

for (const [value, expected] of TIMES) {
  Deno.test(`instant reads ${value} as ${expected}`, () => {
    assert.equal(instant(value, OTHERWISE).toISOString(), expected);
  });
}

Deno.test("instant reads the same times on a machine that is not in UTC", async () => {
  const script = `
    import { instant } from ${JSON.stringify(import.meta.resolve("./time.ts"))};
    console.log(JSON.stringify(${JSON.stringify(TIMES)}.map(([value]) => instant(value, new Date(5)))));`;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-config", script],
    env: { TZ: "America/New_York" },
  }).output();
  assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), TIMES.map(([, expected]) => expected));
});

for (
  const value of [
    ...[null, undefined, "", "yesterday", {}, NaN, Infinity, 1e12],
    ...["2019-13-45", "+012345-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+02:00"],
  ]
) {
  Deno.test(`instant takes another time instead of ${JSON.stringify(value)}`, () => {
    assert.equal(instant(value, OTHERWISE), OTHERWISE);
  });
}
