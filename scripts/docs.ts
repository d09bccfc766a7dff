/**
 * Writes the parts of the documentation that are made from code: `deno task docs`.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { catalogue } from "../connectors/catalogue.ts";
import { readGuide } from "../connectors/kit/fixtures.ts";
import type { Connector } from "../connectors/kit/mod.ts";
import { variables } from "../server/config.ts";
import { DEFINITIONS } from "../server/telemetry/definitions.ts";
import { print, runCommand } from "./cli/command.ts";
import { EVENT_SOURCES, eventSources } from "./docs/events.ts";
import { EXAMPLE_EVENTS, withExamples } from "./docs/examples.ts";
import { PAYLOADS, withPayloads } from "./docs/payloads.ts";
import { formatted } from "./formatted.ts";

const ROOT = new URL("../", import.meta.url);

const HELP = `Writes the parts of the documentation that are made from code: the tables between "written by" comments in
README.md and docs/, the code of @inlet/events, and the payloads that compatibility is checked against.

  deno task docs`;

/** The documents that hold tables made from code. */
export const DOCUMENTS = ["README.md", "docs/sources.md", "docs/configuration.md", "docs/operating.md"] as const;

/** The configuration table in Markdown, one row for each variable. */
export function configurationTable(): string {
  return table(
    ["variable", "default", "meaning"],
    variables().map(({ name, default: standard, meaning }) => [
      `\`${name}\``,
      standard ? `\`${standard}\`` : "",
      meaning,
    ]),
  );
}

/** The table of metrics in Markdown, one row for each. */
export function metricsTable(): string {
  return table(
    ["metric", "type", "labels", "meaning"],
    Object.entries(DEFINITIONS).map(([name, { type, labels, help }]) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(", "),
      help,
    ]),
  );
}

/** The short table of sources in Markdown for the README, one row for each connector in the catalogue. */
export function sourcesTable(): string {
  const rows = catalogue.map(({ manifest: { id, name, type, triggers } }) => [
    `[${name}](connectors/${id}/README.md)`,
    type,
    String(triggers.length),
  ]);
  return table(["source", "kind", "event types"], rows);
}

/** The table of sources in Markdown with what there is to say of each, to be shown in docs/. */
export async function sourcesInDetail(): Promise<string> {
  const rows = await Promise.all(catalogue.map(async (connector) => {
    const { id, name, type, triggers } = connector.manifest;
    const guide = await readGuide(id);
    return [
      `[${name}](../connectors/${id}/README.md)`,
      type,
      authenticityOf(connector),
      `${triggers.length}: ${examplesOf(triggers)}`,
      provenBy(id, guide),
    ];
  }));
  return table(["source", "kind", "proof of origin", "event types", "tested against"], rows);
}

/** A document with the present tables, as `deno fmt` would leave it. */
export async function withTables(document: string): Promise<string> {
  const parts = [
    ["configuration", configurationTable()],
    ["sources", sourcesTable()],
    ["metrics", metricsTable()],
    ["sources in detail", await sourcesInDetail()],
  ] as const;
  return await formatted(
    parts.reduce((text, [name, written]) => {
      const place = new RegExp(`(<!-- ${name}:[^>]*-->\n)[\\s\\S]*(<!-- /${name} -->)`);
      return text.replace(place, (_, begin, end) => `${begin}\n${written}\n\n${end}`);
    }, document),
    "md",
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function authenticityOf({ manifest: { type, verification } }: Connector): string {
  return type === "poller" ? "Inlet calls it" : verification.join(", or a plain ");
}

const EXAMPLES = 3;

/** A few types, of as many entities, in the manifest's order. */
function examplesOf(triggers: readonly string[]): string {
  const byEntity = Map.groupBy(triggers, (type) => type.split(".")[1]);
  const few = byEntity.values().map(([first]) => first).take(EXAMPLES).toArray();
  return few.map((type) => `\`${type}\``).join(", ") + (few.length < triggers.length ? ", …" : "");
}

/** @throws {Error} if the guide does not say it */
function provenBy(id: string, guide: string): string {
  const [, said] = /^## Tested against\n+([\s\S]*?)\n*(?=^## |(?![\s\S]))/m.exec(guide) ?? [];
  if (said === undefined) {
    throw new Error(`Cannot write the table: connectors/${id}/README.md has no "## Tested against"`);
  }
  return said.trim().replaceAll(/\s*\n\s*/g, " ");
}

/** The code of `@inlet/events` that is written from the packages there are, as `deno fmt` would leave it. */
export async function withSources(): Promise<string> {
  return await formatted(await eventSources(), "ts");
}

if (import.meta.main) {
  await runCommand({ task: "docs", help: HELP }, async (args) => {
    parseArgs({ args, options: {} });
    for (const document of DOCUMENTS) {
      const file = new URL(document, ROOT);
      await Deno.writeTextFile(file, await withTables(await Deno.readTextFile(file)));
    }
    await Deno.writeTextFile(EVENT_SOURCES, await withSources());
    await Deno.writeTextFile(PAYLOADS, await withPayloads());
    await Deno.writeTextFile(EXAMPLE_EVENTS, await withExamples());
    print(`wrote ${DOCUMENTS.join(", ")} and what is made of the packages`);
  });
}
