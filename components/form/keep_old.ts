const HOUR_MS = 3_600_000;

/** For how long what is replaced can be chosen to be accepted; the first is what holds unless another is chosen. */
export const KEEP_OLD_CHOICES = [
  { value: "0", text: "Not at all", ms: 0 },
  { value: "1h", text: "1 hour", ms: HOUR_MS },
  { value: "24h", text: "1 day", ms: 24 * HOUR_MS },
  { value: "7d", text: "7 days", ms: 7 * 24 * HOUR_MS },
] as const;

/** The name of the entry that says for how long. */
export const KEEP_OLD_ENTRY = "keep-old";

/** How long a posted form says, in milliseconds: 0 if it does not ask, `undefined` if that is no choice. */
export function keepOldMs(form: URLSearchParams): number | undefined {
  const chosen = form.get(KEEP_OLD_ENTRY) ?? KEEP_OLD_CHOICES[0].value;
  return KEEP_OLD_CHOICES.find(({ value }) => value === chosen)?.ms;
}
