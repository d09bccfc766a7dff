/** One number for each round. */
export type Samples = readonly number[];

/** What a finding is counted in. */
export type Unit = "/s" | "ms" | "MiB";

/** Where a ratio is to be. */
export type Reach = { readonly least: number } | { readonly most: number };

/** Something that was measured, alone or beside something else in the same rounds. */
export interface Finding {
  readonly what: string;
  readonly unit: Unit;
  readonly samples: Samples;
  readonly against?: { readonly what: string; readonly samples: Samples };
  /** Where the ratio of the two is to be; left out: nobody promised anything. */
  readonly reach?: Reach;
  /** What helps to read it. */
  readonly note?: string;
}

/** The middle one; of an even number of samples the mean of the two in the middle. */
export function median(samples: Samples): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = NaN, high = NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/**
 * How a finding compares: the median of the rounds' ratios, since what slows the machine down for a round slows both;
 * `undefined` if it stands alone.
 */
export function ratioOf({ samples, against }: Finding): number | undefined {
  return against && median(samples.map((sample, round) => sample / (against.samples[round] ?? NaN)));
}

/** Whether a ratio is where it is to be; `undefined` if nothing was promised. */
export function isMet(finding: Finding): boolean | undefined {
  const ratio = ratioOf(finding);
  const { reach } = finding;
  if (ratio === undefined || reach === undefined) return undefined;
  return "least" in reach ? ratio >= reach.least : ratio <= reach.most;
}
