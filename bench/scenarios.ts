import type { Scenario } from "./scenario.ts";
import { confirmed } from "./scenarios/confirmed.ts";
import { drain } from "./scenarios/drain.ts";
import { extras } from "./scenarios/extras.ts";
import { rows, workspaces } from "./scenarios/growth.ts";
import { latency } from "./scenarios/latency.ts";
import { memory } from "./scenarios/memory.ts";
import { processes } from "./scenarios/processes.ts";
import { spool } from "./scenarios/spool.ts";
import { streams } from "./scenarios/streams.ts";

/** All scenarios, in the order in which they are run. */
export const scenarios: readonly Scenario[] = [
  confirmed,
  extras,
  latency,
  spool,
  drain,
  streams,
  workspaces,
  rows,
  processes,
  memory,
];
