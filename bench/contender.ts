/** One of those that are measured in turns. */
export class Contender<T> {
  /** What came of it, round by round. */
  readonly samples: T[] = [];

  constructor(
    readonly name: string,
    /** Measures once, for about so many seconds. */
    readonly measure: (seconds: number) => Promise<T>,
    /** A sample in words. */
    readonly show: (sample: T) => string,
  ) {}
}

/** How often and how long contenders are measured. */
export interface Turns {
  readonly rounds: number;
  readonly seconds: number;
  /** Hears what is going on. */
  readonly say: (line: string) => void;
}

/** A first measuring warms up the compiler and the caches, and is thrown away. */
const WARM_UP_SECONDS = 2;

/**
 * Measures contenders in turns, A B A B, so that whatever else the machine does hits all of them. Their samples are
 * added to them.
 */
export async function interleave<T>(
  contenders: readonly Contender<T>[],
  { rounds, seconds, say }: Turns,
): Promise<void> {
  for (const { measure } of contenders) await measure(Math.min(WARM_UP_SECONDS, seconds));
  for (let round = 1; round <= rounds; round++) {
    for (const { name, measure, samples, show } of contenders) {
      const sample = await measure(seconds);
      samples.push(sample);
      say(`  round ${round} of ${rounds}, ${name}: ${show(sample)}`);
    }
  }
}
