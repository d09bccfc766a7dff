import { z } from "zod";

const MS_PER_UNIT = new Map([["ms", 1], ["s", 1000], ["m", 60_000], ["h", 3_600_000], ["d", 86_400_000]]);
/** What is far beyond is no time any more that a date can hold. */
const MOST_DAYS = 36_500;
const EXPECTED = `expected a duration such as "500ms", "5s", "10m", "24h" or "3d", up to "${MOST_DAYS}d"`;

/** A time span as people write it, such as `24h`, read into milliseconds. */
export const durationSchema = z.string(EXPECTED).regex(/^\d+(?:ms|s|m|h|d)$/, EXPECTED)
  .transform((text) => Number.parseInt(text, 10) * (MS_PER_UNIT.get(text.replace(/^\d+/, "")) ?? 0))
  .refine((ms) => ms <= MOST_DAYS * 86_400_000, { error: EXPECTED, abort: true });

/** {@link durationSchema}, or `0` for not at all. */
export const durationOrNoneSchema = z.union([z.literal("0").transform(() => 0), durationSchema], `${EXPECTED}, or "0"`);
