import assert from "node:assert/strict";
import { formatTable } from "./table.ts";

const balance = {
  accepted: 3,
  received: 4,
  lost: [],
  misplaced: [],
  doubled: [],
  repeats: 5,
  redelivered: 6,
  unaccepted: 1,
};

Deno.test("formatTable gives a line to each scenario, aligned, and says what is wrong below", () => {
  const table = formatTable([
    {
      name: "fine",
      failures: [],
      balance,
      statuses: new Map([[200, 9], [202, 12]]),
      firstSuccessMs: [3000, 10, 1000],
      caughtUpMs: 2000,
    },
    { name: "wrong", failures: ["1 accepted and never received: 0/1"], balance: { ...balance, lost: ["0/1"] } },
    { name: "not-here", skipped: "no root", failures: [] },
  ]);
  const [head = "", fine = "", wrong = "", skipped = "", failure = "", ...others] = table.split("\n");
  assert.match(head, /^scenario\s+accepted\s+received\s+lost/);
  assert.match(fine, /^fine\s+3\s+4\s+0\s+0\s+0\s+5\s+6\s+1\s+12\s+0\s+0\s+1\.00 s\s+3\.00 s\s+2\.00 s\s+ok$/);
  assert.match(wrong, /^wrong\s+3\s+4\s+1\s.*-\s+-\s+-\s+FAILED$/);
  assert.match(skipped, /^not-here\s+skipped: no root$/);
  assert.equal(failure, "wrong: 1 accepted and never received: 0/1");
  assert.deepEqual(others, []);
});
