import assert from "node:assert/strict";
import { formatPage, formatTable } from "./report.ts";
import type { Outcome } from "./run.ts";

const outcomes: Outcome[] = [
  {
    name: "fast",
    findings: [{
      what: "accepted",
      unit: "/s",
      samples: [9000, 8000, 8500],
      against: { what: "the script", samples: [10_000, 10_000, 10_000] },
      reach: { least: 0.9 },
      note: "90 µs of CPU a delivery",
    }, { what: "memory", unit: "MiB", samples: [123.4] }],
  },
  { name: "broken", findings: [], failure: "Cannot count on it: 2 accepted, 1 there" },
];

Deno.test("formatTable gives a line to each finding, aligned, with notes and failures below", () => {
  assert.equal(
    formatTable(outcomes),
    [
      "what                     figure  compared with                its figure  ratio  reach  met",
      "accepted  8,500/s (8,000–9,000)  the script     10,000/s (10,000–10,000)   0.85  ≥ 0.9  no",
      "memory                  123 MiB",
      "accepted, beside the script: 90 µs of CPU a delivery",
      "broken: Cannot count on it: 2 accepted, 1 there",
    ].join("\n"),
  );
});

Deno.test("formatPage says when and where it was measured, what was found and what failed", () => {
  const page = formatPage(outcomes, {
    at: new Date("2026-01-02T03:04:05Z"),
    commit: "abc1234",
    machine: ["2 processors"],
    warning: "somebody else is at work",
    rounds: 3,
    seconds: 5,
    generator: { perSecond: 40_000, cpuMicros: 12 },
    minutes: 14,
  });
  assert.match(page, /on 2026-01-02 at 03:04 UTC, after 14 minutes, at commit abc1234: 3 rounds of 5 s each/);
  assert.match(page, /\*\*Careful: somebody else is at work\.\*\*/);
  assert.match(page, /- 2 processors\n- The load generator alone: 40,000\/s/);
  const row = "| accepted | 8,500/s (8,000–9,000) | the script | 10,000/s (10,000–10,000) | 0.85 | ≥ 0.9 | no |";
  assert.ok(page.includes(`\n${row}\n`), page);
  assert.match(page, /\n- Failed: broken: Cannot count on it/);
});
