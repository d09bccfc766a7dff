/**
 * Writes what a new source costs: one folder under connectors/, one under packages/, one line in connectors/catalogue.ts.
 * The result passes the conformance test as it stands: `deno task new:connector acme_crm`.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { CommandError, print, runCommand, UsageError } from "./cli/command.ts";
import { exists } from "./cli/paths.ts";
import { withConnector } from "./new_connector/catalogue.ts";
import { connectorFiles } from "./new_connector/connector_files.ts";
import { type Names, namesOf } from "./new_connector/names.ts";
import { packageFiles } from "./new_connector/package_files.ts";

const ROOT = new URL("../", import.meta.url);
const CATALOGUE = new URL("connectors/catalogue.ts", ROOT);
const HELP =
  `Writes a new source that passes the conformance test: a folder under connectors/, a package under packages/,
and a line in connectors/catalogue.ts. Nothing that exists is overwritten.

  deno task new:connector ID

  ID  lower-case letters and digits, with _ or - between: the first part of its event types

  deno task new:connector acme_crm

docs/writing-a-connector.md says how to make it the source's own.`;

/** @throws {CommandError} if anything of the source's name is there already: nothing is overwritten */
async function refuseExisting({ id, packageFolder }: Names): Promise<void> {
  for (const folder of [`connectors/${id}`, `packages/${packageFolder}`]) {
    if (await exists(new URL(folder, ROOT))) throw new CommandError(`Cannot make ${id}: ${folder} exists`);
  }
}

async function write(path: string, text: string): Promise<void> {
  const file = new URL(path, ROOT);
  await Deno.mkdir(new URL(".", file), { recursive: true });
  await Deno.writeTextFile(file, text, { createNew: true });
}

async function create(id: string): Promise<string[]> {
  const names = namesOf(id);
  await refuseExisting(names);
  const catalogue = withConnector(await Deno.readTextFile(CATALOGUE), names);
  const files = { ...connectorFiles(names), ...packageFiles(names) };
  for (const [path, text] of Object.entries(files)) await write(path, text);
  await Deno.writeTextFile(CATALOGUE, catalogue);
  const written = [...Object.keys(files), "connectors/catalogue.ts"];
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", ...written], cwd: ROOT }).output();
  return written;
}

await runCommand({ task: "new:connector", help: HELP }, async (args) => {
  const { positionals: [id, ...more] } = parseArgs({ args, allowPositionals: true, options: {} });
  if (id === undefined || more.length > 0) throw new UsageError("name one source, such as acme_crm");
  const written = await create(id);
  print([
    ...written.map((path) => `wrote ${path}`),
    "",
    "Now make it the source's own; docs/writing-a-connector.md says how. It passes already:",
    `  deno task docs && deno task ok && deno test -A tests/conformance_test.ts --filter "${id}:"`,
  ].join("\n"));
});
