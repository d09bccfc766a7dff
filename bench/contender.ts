/** How one of those that are measured in turns is measured. */
export interface ContenderParts<T> {
  readonly name: string;
  /** Measures once, for about so many seconds. */
  readonly measure: (seconds: number) => Promise<T>;
  /** Does as much as it takes until the compiler and the caches are warm. */
  readonly warmUp: () => Promise<unknown>;
  /** A sample in words. */
  readonly show: (sample: T) => string;
}

/** One of those that are measured in turns. */
export class Contender<T> {
  /** What came of it, round by round. */
  readonly samples: T[] = [];

  constructor(readonly parts: ContenderParts<T>) {}

  /** What it is called in the table. */
  get name(): string {
    return this.parts.name;
  }
}

/** How often and how long contenders are measured. */
export interface Turns {
  readonly rounds: number;
  readonly seconds: number;
  /** Deliveries after which a server is warm. */
  readonly warmUp: number;
  /** Hears what is going on. */
  readonly say: (line: string) => void;
}

/**
 * Measures contenders in turns, A B A B, so that whatever else the machine does hits all of them. Their samples are
 * added to them.
 */
export async function interleave<T>(
  contenders: readonly Contender<T>[],
  { rounds, seconds, say }: Omit<Turns, "warmUp">,
): Promise<void> {
  for (const { parts } of contenders) await parts.warmUp();
  for (let round = 1; round <= rounds; round++) {
    for (const { parts: { name, measure, show }, samples } of contenders) {
      const sample = await measure(seconds);
      samples.push(sample);
      say(`  round ${round} of ${rounds}, ${name}: ${show(sample)}`);
    }
  }
}
