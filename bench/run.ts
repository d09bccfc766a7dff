import { within } from "../server/timeouts.ts";
import { Bench, type BenchSettings } from "./bench.ts";
import type { Finding } from "./figures.ts";
import type { Scenario } from "./scenario.ts";
import { CONNECTIONS } from "./subject.ts";

/** After which a scenario is taken to hang: the longest, memory after a million deliveries, takes a quarter of it or half. */
const LONGEST_MS = 60 * 60_000;

/** How a scenario went. */
export interface Outcome {
  readonly name: string;
  readonly findings: readonly Finding[];
  /** Why it could not be measured. */
  readonly failure?: string;
}

/** What the load generator can do against a server that does nothing. */
export interface GeneratorFigures {
  readonly perSecond: number;
  /** Of the generator's own, for each delivery. */
  readonly cpuMicros: number;
}

/** Measures one scenario; a failure is part of its outcome, and all that was started has ended. */
export async function runScenario(scenario: Scenario, settings: BenchSettings): Promise<Outcome> {
  const { name } = scenario;
  try {
    await using bench = new Bench(settings);
    const late = () => new Error(`Cannot go on: it takes longer than ${LONGEST_MS / 60_000} minutes`);
    // What hangs ends with its bench.
    return { name, findings: await within(LONGEST_MS, scenario.run(bench), late) };
  } catch (error) {
    return { name, findings: [], failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Shows that the load generator is not what limits the figures. */
export async function measureGenerator(settings: BenchSettings): Promise<GeneratorFigures> {
  await using bench = new Bench(settings);
  const { url } = await bench.server("noop.ts");
  const job = { urls: [`${url}/webhooks/github`], connections: CONNECTIONS, seconds: settings.seconds };
  await bench.generator.load(job);
  const { published, seconds, cpuMs } = await bench.generator.load(job);
  return { perSecond: published / seconds, cpuMicros: cpuMs * 1000 / published };
}
