import { namesOf } from "../new_connector/names.ts";

const PACKAGES = new URL("../../packages/", import.meta.url);

/** The module of `@inlet/events` that is written from the packages there are. */
export const EVENT_SOURCES: URL = new URL("events/sources.ts", PACKAGES);

/** The folders below `packages/` of the packages that say what one source emits, sorted. */
async function eventPackages(): Promise<string[]> {
  const folders = await Array.fromAsync(Deno.readDir(PACKAGES), ({ name }) => name);
  return folders.filter((name) => name.endsWith("-events")).sort();
}

/** The code of {@link EVENT_SOURCES}, one line in each place for each source, as `deno fmt` leaves it. */
export async function eventSources(): Promise<string> {
  const sources = (await eventPackages()).map((folder) => namesOf(folder.replace(/-events$/, "")));
  const lines = (write: (source: (typeof sources)[number]) => string) => sources.map(write).join("\n");
  return `// Written by \`deno task docs\` from the packages there are: a new source changes nothing by hand.
${lines(({ camel, pascal, package: name }) => `import { type ${pascal}Event, ${camel}PayloadSchemas } from "${name}";`)}

${lines(({ package: name }) => `export * from "${name}";`)}

/** The payload schemas of all event types, by type; of types that a config decides, by the pattern they match. */
export type InletPayloadSchemas =
${sources.map(({ camel }) => `  & typeof ${camel}PayloadSchemas`).join("\n")};

/** The payload schema of every event type; see {@link InletPayloadSchemas}. */
export const payloadSchemas: InletPayloadSchemas = {
${lines(({ camel }) => `  ...${camel}PayloadSchemas,`)}
};

/** Any event that a source of Inlet emits, its payload told by its \`type\`. */
export type InletEvent =
${lines(({ pascal }) => `  | ${pascal}Event`)};
`;
}
