import assert from "node:assert/strict";
import { faultOf, otherFaults } from "./faults.ts";

const faults = [
  { pointer: "/config/a~1b", detail: "is required" },
  { pointer: "/config/names/1", detail: "is too short" },
  { pointer: "/config/rules/x", detail: "is no number" },
  { pointer: "/config/other", detail: "is not known here" },
];

Deno.test("faultOf finds what is wrong with a field, and in which line", () => {
  assert.equal(faultOf(faults, "config", "a/b"), "Is required");
  assert.equal(faultOf(faults, "config", "names"), "Line 2: is too short");
  assert.equal(faultOf(faults, "config", "rules"), "/config/rules/x: is no number");
  assert.equal(faultOf(faults, "config", "name"), undefined);
  assert.equal(faultOf(faults, "secrets", "names"), undefined);
});

Deno.test("otherFaults gives what no field shows", () => {
  const shown = ["/config/a~1b", "/config/names", "/config/rules"];
  assert.deepEqual(otherFaults(faults, shown), [{ pointer: "/config/other", detail: "is not known here" }]);
});
