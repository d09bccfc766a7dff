import type { Bench } from "./bench.ts";
import type { Finding } from "./figures.ts";

/** One row of the table, or some that are measured together. */
export interface Scenario {
  /** What it is called on the command line. */
  readonly name: string;
  /** What it measures, in a line. */
  readonly does: string;
  /** Measures. What it starts, it starts by the bench. */
  run(bench: Bench): Promise<Finding[]>;
}
