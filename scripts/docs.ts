/**
 * Writes the parts of the documentation that are made from code: `deno task docs`.
 *
 * @module
 */
import { variables } from "../server/config.ts";

const README = new URL("../README.md", import.meta.url);
const BEGIN = /(<!-- configuration:[^>]*-->\n)[\s\S]*(<!-- \/configuration -->)/;

/** The configuration table in Markdown, one row for each variable. */
export function configurationTable(): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const rows = variables().map(({ name, default: standard, meaning }) =>
    `| \`${name}\` | ${standard === undefined ? "" : `\`${standard}\``} | ${cell(meaning)} |`
  );
  return ["| variable | default | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

/** `readme` with the present configuration table, as `deno fmt` would leave it. */
export async function withConfigurationTable(readme: string): Promise<string> {
  const written = readme.replace(BEGIN, (_, begin, end) => `${begin}\n${configurationTable()}\n\n${end}`);
  const fmt = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext", "md", "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = fmt.stdin.getWriter();
  await writer.write(new TextEncoder().encode(written));
  await writer.close();
  return new TextDecoder().decode((await fmt.output()).stdout);
}

if (import.meta.main) await Deno.writeTextFile(README, await withConfigurationTable(await Deno.readTextFile(README)));
