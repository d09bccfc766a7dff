import assert from "node:assert/strict";
import { z } from "zod";
import { faultsOf } from "./faults.ts";
import { firstText, iso, list, listOf, looseNumber, looseText, present, recordOf } from "./input.ts";

Deno.test("iso writes any time that a source sends as RFC 3339 in UTC, and null for what is none", () => {
  for (const value of ["2015-05-17 18:08:09 UTC", "2015-05-17T20:08:09+02:00", "2015-05-17T18:08:09", 1431886089]) {
    assert.equal(iso(value), "2015-05-17T18:08:09.000Z");
  }
  for (const value of [null, undefined, "", "soon", "0001-01-01T00:00:00Z", "2015-04-08T21: 00:25-07:00", {}, 1e15]) {
    assert.equal(iso(value), null);
  }
});

Deno.test("iso takes a time as it is written for what it says, however it is read", () => {
  for (const day of ["01", "15", "28", "29", "30", "31", "32", "00"]) {
    for (const month of ["01", "02", "04", "12", "13", "00"]) {
      for (const time of ["00:00:00", "23:59:59", "24:00:00", "12:60:00", "12:00:60"]) {
        const text = `2023-${month}-${day}T${time}Z`;
        // With a fraction it is read as a date.
        assert.equal(iso(text), iso(text.replace("Z", ".0Z")), text);
      }
    }
  }
  for (const year of ["0000", "0001", "0002"]) {
    assert.equal(iso(`${year}-03-02T00:00:00Z`), iso(`${year}-03-02T00:00:00.0Z`), year);
  }
});

Deno.test("present gives what is in a list that may be absent or hold nulls", () => {
  const numbers = list(z.number());
  assert.deepEqual(present(numbers.parse([1, null, 2])), [1, 2]);
  assert.deepEqual([present(numbers.parse(null)), present(numbers.parse(undefined))], [[], []]);
});

Deno.test("list tells of its first wrong item what is wrong with it, and where, and of no other", () => {
  const people = list(z.object({ name: z.string(), age: z.number() }));
  const { error } = people.safeParse([{ name: "Mira", age: 1 }, { name: 1 }, 2]);
  assert.deepEqual(error && faultsOf(error), [
    { pointer: "/1/name", detail: "expected a text, not a number" },
    { pointer: "/1/age", detail: "is required" },
  ]);
  const wrong = (it: unknown) => z.object({ it: listOf(z.string()) }).safeParse(it).error;
  assert.deepEqual([{ it: "Mira" }, {}].map((it) => wrong(it)?.issues.map(({ message }) => message)), [
    ["expected a list, not a text"],
    ["is required"],
  ]);
});

Deno.test("list and recordOf describe one wrong item of all that they hold, however deep it lies", () => {
  const lists = z.object({ all: list(z.object({ names: list(z.string()) })) });
  const all = Array.from({ length: 1000 }, () => ({ names: new Array(1000).fill(0) }));
  const { error } = lists.safeParse({ all });
  assert.deepEqual(error?.issues.map(({ path }) => path), [["all", 0, "names", 0]]);
  const records = recordOf(recordOf(z.string()));
  const wrong = { a: { b: "c" }, d: { e: "f", g: 1, h: 2 }, i: 3 };
  assert.deepEqual(records.safeParse(wrong).error?.issues.map(({ path }) => path), [["d", "g"]]);
  assert.deepEqual(records.parse({ a: { b: "c" } }), { a: { b: "c" } });
});

Deno.test("looseText and looseNumber take something of another kind for nothing", () => {
  assert.deepEqual(["a", null, undefined, 1, {}].map((it) => looseText.parse(it)), ["a", null, undefined, null, null]);
  assert.deepEqual([1, null, undefined, "1", []].map((it) => looseNumber.parse(it)), [1, null, undefined, null, null]);
});

Deno.test("firstText passes over what is not there or empty", () => {
  assert.equal(firstText(undefined, null, "", "a", "b"), "a");
  assert.equal(firstText("", null), null);
});
