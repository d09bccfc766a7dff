import { CommandError } from "../cli/command.ts";
import type { Names } from "./names.ts";

/**
 * The catalogue's code with one source more: its import and its line, where the alphabet wants them.
 *
 * @throws {CommandError} if the catalogue is not written as it should be
 */
export function withConnector(catalogue: string, { id, camel }: Names): string {
  const imported = insertSorted(
    catalogue,
    /^import \{ \w+ \} from "\.\/.*";$/gm,
    `import { ${camel} } from "./${id}/mod.ts";`,
  );
  return insertSorted(imported, /^ {2}\w+,$/gm, `  ${camel},`);
}

function insertSorted(text: string, lines: RegExp, line: string): string {
  const found = [...text.matchAll(lines)];
  const [last] = found.slice(-1);
  if (last === undefined) {
    throw new CommandError("Cannot add to connectors/catalogue.ts: it holds no line like those to be added");
  }
  const next = found.find(([other]) => other > line);
  return next === undefined
    ? `${text.slice(0, last.index + last[0].length)}\n${line}${text.slice(last.index + last[0].length)}`
    : `${text.slice(0, next.index)}${line}\n${text.slice(next.index)}`;
}
