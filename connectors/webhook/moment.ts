import { freshnessOf, instant, type Verdict } from "../kit/mod.ts";
import type { Preset } from "./settings.ts";

type Format = Preset["timestampFormat"];

const MILLISECONDS = /^\d{1,15}$/;
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;
const NUMBER = /^\d{1,15}(?:\.\d{1,9})?$/;
/** Without an offset, UTC is meant. */
const DATE_TIME = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)?)?$/;
/** As seconds, this is the year 5138; as milliseconds, 1973. */
const LEAST_MILLISECONDS = 100_000_000_000;

/** Whether a signed time is the present one; `place` names where it stood, for the words of the verdict. */
export function freshAt(text: string, place: string, receivedAt: Date, settings: Preset): Verdict {
  const { timestampFormat, toleranceSeconds } = settings;
  const seconds = secondsOf(text, timestampFormat);
  if (seconds !== undefined) return freshnessOf(seconds, receivedAt, place, toleranceSeconds * 1000);
  const form = timestampFormat === "rfc3339" ? "a time as RFC 3339 has it" : "a time in milliseconds since 1970";
  return { authentic: false, fault: "malformed", detail: `${place} is not ${form}` };
}

/** Writes a time as the sender does. */
export function written(time: Date, format: Format): string {
  if (format === "rfc3339") return time.toISOString();
  return String(format === "seconds" ? Math.floor(time.getTime() / 1000) : time.getTime());
}

/** Reads the time of an event, in RFC 3339 or since 1970, seconds or milliseconds; anything else gives `otherwise`. */
export function momentOf(text: string | null, otherwise: Date): Date {
  if (text === null) return otherwise;
  if (!NUMBER.test(text)) return DATE_TIME.test(text) ? instant(text, otherwise) : otherwise;
  const number = Number(text);
  return instant(number < LEAST_MILLISECONDS ? number : number / 1000, otherwise);
}

/** A time as seconds since 1970, for the kit reads no others; `undefined` if it is not in that format. */
function secondsOf(text: string, format: Format): string | undefined {
  if (format === "seconds") return text;
  if (format === "milliseconds") return MILLISECONDS.test(text) ? String(Math.floor(Number(text) / 1000)) : undefined;
  const time = RFC_3339.test(text) ? new Date(text).getTime() : NaN;
  return Number.isFinite(time) ? String(Math.floor(time / 1000)) : undefined;
}
