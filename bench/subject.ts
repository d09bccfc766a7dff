import { Contender, type Turns } from "./contender.ts";
import { type Finding, median, type Reach } from "./figures.ts";
import type { Generator } from "./generator.ts";
import type { LoadJob, LoadResult } from "./load/jobs.ts";
import type { ServerProcess } from "./server_process.ts";

/** A server to be put under load, and how to see that it did what it said. */
export interface Subject {
  readonly name: string;
  /** Its webhook URLs, which take turns. */
  readonly urls: readonly string[];
  readonly processes: readonly ServerProcess[];
  /** What it is to answer of each delivery. */
  readonly does: "published" | "queued";
  /** Gives how many events have come to where they belong since it was last asked; left out where nobody can tell. */
  readonly arrived?: () => Promise<number>;
}

/** How a server did under load. */
export interface Measured {
  readonly perSecond: number;
  readonly latencyMs: LoadResult["latencyMs"];
  /** Of the server's processes together, for each delivery; `NaN` where the system does not tell. */
  readonly cpuMicros: number;
  /** Deliveries, each of which became one event. */
  readonly accepted: number;
}

/** The numbers do not agree: what was measured is not what was meant to be measured. */
export class CountError extends Error {}

/** Senders side by side. */
export const CONNECTIONS = 64;

/**
 * Puts a server under load.
 *
 * @throws {CountError} if a delivery was not accepted, or the events have not come to where they belong
 */
export async function measure(
  generator: Generator,
  subject: Subject,
  job: Pick<LoadJob, "seconds" | "most" | "perSecond">,
): Promise<Measured> {
  const before = await cpuMsOf(subject);
  const result = await generator.load({ urls: [...subject.urls], connections: CONNECTIONS, ...job });
  const cpuMs = await cpuMsOf(subject) - before;
  const accepted = await acceptedOf(subject, result);
  return {
    perSecond: accepted / result.seconds,
    latencyMs: result.latencyMs,
    cpuMicros: cpuMs * 1000 / accepted,
    accepted,
  };
}

/** What {@link underLoad} and {@link warmUp} work with. */
export interface UnderLoadParts {
  readonly generator: Generator;
  readonly settings: Pick<Turns, "warmUp">;
}

/** How long a warm-up may take: its number ends it, but on a slow machine. */
const WARM_UP_SECONDS = 20;

/** Puts a server under load until the compiler has seen enough of it. */
export async function warmUp({ generator, settings }: UnderLoadParts, subject: Subject): Promise<void> {
  await measure(generator, subject, { seconds: WARM_UP_SECONDS, most: settings.warmUp });
}

/** A contender whose deliveries a second are measured, each connection sending its next when the last was answered. */
export function underLoad({ generator, settings }: UnderLoadParts, subject: Subject): Contender<Measured> {
  return new Contender({
    name: subject.name,
    measure: (seconds) => measure(generator, subject, { seconds }),
    warmUp: () => warmUp({ generator, settings }, subject),
    show: showMeasured,
  });
}

/** What was measured, in words. */
function showMeasured({ perSecond, latencyMs: { p50, p99 }, cpuMicros }: Measured): string {
  return `${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${
    cpuMicros.toFixed(0)
  } µs of CPU`;
}

/** The finding that one was so fast, beside another in the same rounds; what a delivery took of a processor is noted. */
export function compareRates(
  what: string,
  ours: Contender<Measured>,
  { to, reach }: { readonly to: Contender<Measured>; readonly reach?: Reach },
): Finding {
  const rates = ({ samples }: Contender<Measured>) => samples.map(({ perSecond }) => perSecond);
  const cpu = ({ samples }: Contender<Measured>) => median(samples.map(({ cpuMicros }) => cpuMicros));
  return {
    what,
    unit: "/s",
    samples: rates(ours),
    against: { what: to.name, samples: rates(to) },
    ...reach && { reach },
    ...Number.isFinite(cpu(ours)) && {
      note: `${cpu(ours).toFixed(0)} µs of CPU a delivery, against ${cpu(to).toFixed(0)}`,
    },
  };
}

async function acceptedOf({ name, does, arrived }: Subject, result: LoadResult): Promise<number> {
  const { statuses, published, queued } = result;
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const refused = Object.keys(statuses).filter((status) => !/^2/.test(status));
  if (refused.length > 0) throw new CountError(`Cannot count on ${name}: answers were ${JSON.stringify(statuses)}`);
  if (result[does] !== answers) {
    const said = `it published ${published} and queued ${queued}`;
    throw new CountError(`Cannot count on ${name}: of ${answers} deliveries it should have ${does} all, ${said}`);
  }
  const came = arrived === undefined ? answers : await arrived();
  if (came !== answers) throw new CountError(`Cannot count on ${name}: ${answers} ${does}, ${came} there`);
  return answers;
}

async function cpuMsOf({ processes }: Subject): Promise<number> {
  const each = await Promise.all(processes.map((process) => process.cpuMs()));
  return each.reduce((sum, ms) => sum + ms, 0);
}
