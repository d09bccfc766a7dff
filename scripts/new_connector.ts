/**
 * Writes what a new source costs: one folder under connectors/, one under packages/, one line in connectors/catalogue.ts.
 * The result passes the conformance test as it stands: `deno task new:connector acme_crm`.
 *
 * @module
 */
import { withConnector } from "./new_connector/catalogue.ts";
import { connectorFiles } from "./new_connector/connector_files.ts";
import { type Names, namesOf } from "./new_connector/names.ts";
import { packageFiles } from "./new_connector/package_files.ts";

const ROOT = new URL("../", import.meta.url);
const CATALOGUE = new URL("connectors/catalogue.ts", ROOT);
const USAGE = "Usage: deno task new:connector <id>, with an id such as acme_crm";

/** @throws {Error} if anything of the source's name is there already: nothing is overwritten */
async function refuseExisting({ id, packageFolder }: Names): Promise<void> {
  for (const folder of [`connectors/${id}`, `packages/${packageFolder}`]) {
    const there = await Deno.stat(new URL(folder, ROOT)).then(() => true, () => false);
    if (there) throw new Error(`Cannot make ${id}: ${folder} exists`);
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

function print(...lines: string[]): void {
  // deno-lint-ignore no-console -- a command speaks on standard output
  console.log(lines.join("\n"));
}

try {
  const [id, ...more] = Deno.args;
  if (id === undefined || more.length > 0) throw new Error(USAGE);
  const written = await create(id);
  print(
    ...written.map((path) => `wrote ${path}`),
    "",
    "Now make it the source's own; docs/writing-a-connector.md says how. It passes already:",
    `  deno task docs && deno task ok && deno test -A tests/conformance_test.ts --filter "${id}:"`,
  );
} catch (error) {
  // deno-lint-ignore no-console -- a command speaks of its failures on standard error
  console.error(error instanceof Error ? error.message : error);
  Deno.exit(1);
}
