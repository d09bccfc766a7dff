import { z } from "zod";
import { catalogue } from "../../connectors/catalogue.ts";
import type { Connector } from "../../connectors/kit/mod.ts";
import { breaksOf, mayBreak } from "./compatibility.ts";

const ROOT = new URL("../../", import.meta.url);

/** Where the payload schemas are kept as they were published last. */
export const PAYLOADS: URL = new URL("./payloads.json", import.meta.url);

const schemaSchema = z.record(z.string(), z.unknown());

const packageSchema = z.object({
  version: z.string(),
  /** For each type the first type that has the same schema. */
  types: z.record(z.string(), z.string()),
  schemas: z.record(z.string(), schemaSchema),
});
type Package = z.output<typeof packageSchema>;

/** The payload schemas of all packages as JSON Schema, by package: equal ones stand there once. */
const payloadsSchema = z.record(z.string(), packageSchema);

/** See {@link payloadsSchema}. */
export type Payloads = z.output<typeof payloadsSchema>;

/** Has all sources' types, and no schema of its own: what breaks users of one of them breaks its own. */
const ALL_SOURCES = "@inlet/events";

/** The payload schemas as the packages have them now. */
export async function presentPayloads(): Promise<Payloads> {
  const packages = await Promise.all(catalogue.map(async (connector) => {
    const name = `@inlet/${connector.manifest.id.replaceAll("_", "-")}-events`;
    return [name, packageOf(connector, await versionOf(name))] as const;
  }));
  const allSources = { version: await versionOf(ALL_SOURCES), types: {}, schemas: {} };
  return Object.fromEntries([...packages, [ALL_SOURCES, allSources]]);
}

async function versionOf(name: string): Promise<string> {
  const manifest = await Deno.readTextFile(new URL(`packages/${name.replace("@inlet/", "")}/deno.json`, ROOT));
  return z.object({ version: z.string() }).parse(JSON.parse(manifest)).version;
}

function packageOf({ payloads }: Connector, version: string): Package {
  const firsts = new Map<string, string>();
  const types: Record<string, string> = {};
  const schemas: Record<string, Record<string, unknown>> = {};
  for (const [type, payload] of Object.entries(payloads).sort(([a], [b]) => a < b ? -1 : 1)) {
    const schema = JSON.stringify(z.toJSONSchema(payload, { unrepresentable: "any" }));
    const first = firsts.get(schema) ?? type;
    firsts.set(schema, first);
    types[type] = first;
    schemas[first] ??= schemaSchema.parse(JSON.parse(schema));
  }
  return { version, types, schemas };
}

/**
 * What breaks the consumers of what was published, one line each: the package, the type or the number of them, the field,
 * what has become of it and what version it asks for. A package whose version is great enough may break.
 */
export function unannouncedBreaks(published: Payloads, present: Payloads): string[] {
  return Object.entries(published).flatMap(([name, before]) => {
    const now = present[name];
    if (now === undefined) return [`${name} is gone: whoever installed it has no events of it any more`];
    if (mayBreak(before.version, now.version)) return [];
    return name === ALL_SOURCES ? brokenWithin(before, published, present) : brokenOf(name, before, now);
  });
}

function brokenWithin({ version }: Package, published: Payloads, present: Payloads): string[] {
  return Object.entries(present).filter(([name, now]) => mayBreak(published[name]?.version ?? now.version, now.version))
    .map(([name, now]) =>
      `${ALL_SOURCES} ${version}: it has all of ${name}, whose version ${now.version} may break consumers: raise the ` +
      `version to ${nextBreaking(version)}`
    );
}

function brokenOf(name: string, before: Package, now: Package): string[] {
  const whom = new Map<string, string[]>();
  for (const [type, first] of Object.entries(before.types)) {
    const schema = now.schemas[now.types[type] ?? ""];
    const changes = schema === undefined
      ? ["the type was removed"]
      : breaksOf(before.schemas[first] ?? {}, schema).map(({ place, change }) => `payload${place} ${change}`);
    for (const change of changes) whom.set(change, [...whom.get(change) ?? [], type]);
  }
  return [...whom].map(([change, [first = "", ...others]]) => {
    const types = others.length > 0 ? `${first} and ${others.length} more` : first;
    return `${name} ${now.version}: ${change}. It breaks consumers of ${types}: keep it, or raise the version to ` +
      nextBreaking(before.version);
  });
}

function nextBreaking(version: string): string {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`;
}

/** The payload schemas that were published last. */
export async function publishedPayloads(): Promise<Payloads> {
  return payloadsSchema.parse(JSON.parse(await Deno.readTextFile(PAYLOADS).catch(() => "{}")));
}

/**
 * The text of {@link PAYLOADS} as it is to be now.
 *
 * @throws {Error} if that would break consumers without a version that says so
 */
export async function withPayloads(): Promise<string> {
  const present = await presentPayloads();
  const breaks = unannouncedBreaks(await publishedPayloads(), present);
  if (breaks.length > 0) throw new Error(`Cannot write the payload schemas:\n${breaks.join("\n")}`);
  return `${JSON.stringify(present, null, 1)}\n`;
}
