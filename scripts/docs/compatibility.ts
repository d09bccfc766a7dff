import { z } from "zod";

/** A JSON Schema as it is compared here: what it may say of a value, by keyword. */
export type Schema = Readonly<Record<string, unknown>>;

/** A change of a schema that a consumer of the old one would notice. */
export interface Break {
  /** JSON pointer to the field, of the payload; empty for the payload itself. */
  readonly place: string;
  /** What has become of it, such as `was removed`. */
  readonly change: string;
}

const objectSchema = z.record(z.string(), z.unknown());
const listSchema = z.array(z.unknown());
const namesSchema = z.array(z.string()).default([]);

/** What speaks to people only. */
const PROSE: ReadonlySet<string> = new Set(["$schema", "description", "title", "examples", "example", "deprecated"]);
/** What may become less: `type` is one, or a list of them. */
const LISTS: ReadonlySet<string> = new Set(["enum", "type"]);
/** What is compared on its own. */
const STRUCTURE: ReadonlySet<string> = new Set(["properties", "required", "items", "anyOf", "additionalProperties"]);

/**
 * What of `now` breaks whoever reads by `before`: a field that is gone, that may be missing, or that may be what it could
 * not be. More fields and narrower values break nobody.
 */
export function breaksOf(before: Schema, now: Schema, place = ""): Break[] {
  return [
    ...keywordBreaks(before, now, place),
    ...propertyBreaks(before, now, place),
    ...nestedBreaks(before, now, place),
  ];
}

function keywordBreaks(before: Schema, now: Schema, place: string): Break[] {
  return Object.keys(before).filter((keyword) => !PROSE.has(keyword) && !STRUCTURE.has(keyword)).flatMap((keyword) => {
    const [was, is] = [before[keyword], now[keyword]];
    if (JSON.stringify(was) === JSON.stringify(is) || LISTS.has(keyword) && within(is, was)) return [];
    return [{ place, change: `had ${keyword} ${JSON.stringify(was)} and has ${JSON.stringify(is) ?? "none"}` }];
  });
}

function within(is: unknown, was: unknown): boolean {
  const known = listOf(was);
  return is !== undefined && listOf(is).every((value) => known.includes(value));
}

function listOf(value: unknown): readonly unknown[] {
  const list = listSchema.safeParse(value);
  return list.success ? list.data : [value];
}

function propertyBreaks(before: Schema, now: Schema, place: string): Break[] {
  const [was, is] = [fieldsOf(before), fieldsOf(now)];
  const [needed, stillNeeded] = [namesSchema.parse(before.required), namesSchema.parse(now.required)];
  return Object.entries(was).flatMap(([name, schema]): Break[] => {
    const present = is[name];
    const at = `${place}/${name}`;
    if (present === undefined) return [{ place: at, change: "was removed" }];
    const optional = needed.includes(name) && !stillNeeded.includes(name);
    return [...optional ? [{ place: at, change: "may be missing now" }] : [], ...breaksOf(schema, present, at)];
  });
}

function fieldsOf({ properties }: Schema): Record<string, Schema> {
  return z.record(z.string(), objectSchema).default({}).parse(properties);
}

/** Lists' items, records' values, and alternatives, each of which must be one that was there before. */
function nestedBreaks(before: Schema, now: Schema, place: string): Break[] {
  const nested = (["items", "additionalProperties"] as const).flatMap((keyword) => {
    const [was, is] = [objectSchema.safeParse(before[keyword]), objectSchema.safeParse(now[keyword])];
    return was.success ? breaksOf(was.data, is.success ? is.data : {}, `${place}/*`) : [];
  });
  const [was, is] = [alternativesOf(before), alternativesOf(now)];
  if (was.length === 0 && is.length === 0) return nested;
  const [known, present] = [was.length > 0 ? was : [before], is.length > 0 ? is : [now]];
  const strange = present.filter((one) => known.every((other) => breaksOf(other, one).length > 0));
  const [first] = strange;
  if (first === undefined) return nested;
  const nearest = known.map((other) => breaksOf(other, first, place)).sort((a, b) => a.length - b.length)[0] ?? [];
  return [...nested, ...known.length === present.length ? nearest : [{ place, change: "may be of another kind now" }]];
}

function alternativesOf({ anyOf }: Schema): Schema[] {
  return z.array(objectSchema).default([]).parse(anyOf);
}

/** Whether a version may break users of another: its major, or of versions below 1 its minor, is greater. */
export function mayBreak(before: string, now: string): boolean {
  const [[major = 0, minor = 0], [nowMajor = 0, nowMinor = 0]] = [partsOf(before), partsOf(now)];
  return nowMajor > major || major === 0 && nowMajor === 0 && nowMinor > minor;
}

function partsOf(version: string): number[] {
  return version.split(".").map(Number);
}
