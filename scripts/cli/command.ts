/** How the commands behind `deno task` and `inlet` speak, and how they end. */
import { callOf, commandArguments } from "../../server/commands.ts";
import { ConfigError, EncryptionKeyError, StoreError } from "../../server/errors.ts";
import { meaningOf, placeIn } from "../../server/system_errors.ts";

/** The command line is wrong: the command ends with 2, and says where its help is. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Something for whoever runs the command to mend: it ends with 1 and this on one line, without a stack. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
}

/** What a command says of itself. */
export interface Manual {
  /** Its name in deno.json. */
  readonly task: string;
  /** One screen: what it does, how it is called, each option, an example. A function where some of it is looked up. */
  readonly help: string | (() => string | Promise<string>);
}

/** Writes a line to standard output: what a command was asked for. */
export function print(text: string): void {
  // deno-lint-ignore no-console -- a command speaks on standard output
  console.log(text);
}

/** Writes a line to standard error: what is wrong, or goes on beside. */
export function complain(text: unknown): void {
  // deno-lint-ignore no-console -- a command speaks of its failures on standard error
  console.error(text);
}

/**
 * Runs a command and ends the process: with what `run` gives (nothing is 0), with 1 where it fails, and with 2 where it was
 * called wrongly. `--help` and `-h` are answered here, with 0 and without running anything.
 *
 * @param run Reads the arguments, best with `parseArgs` of node:util, whose complaints are understood, and does the work.
 */
export async function runCommand(
  { task, help }: Manual,
  run: (args: string[]) => Promise<number | void> | number | void,
): Promise<never> {
  const args = commandArguments();
  try {
    if (args.some((arg) => arg === "--help" || arg === "-h")) {
      print(typeof help === "string" ? help : await help());
      Deno.exit(0);
    }
    Deno.exit(await run(args) ?? 0);
  } catch (error) {
    const misuse = misuseOf(error);
    if (misuse !== undefined) {
      complain(`Cannot run ${callOf(task)}: ${misuse}; see: ${callOf(task)} --help`);
      Deno.exit(2);
    }
    const barred = barredIn(error);
    if (barred !== undefined) complain(`Cannot run ${callOf(task)}: ${barred}`);
    else complain(isExpected(error) ? wordsOf(task, error) : error);
    Deno.exit(1);
  }
}

/** For people to mend: of the system's errors (a full disk, a missing permission, a port that is taken), too. */
function isExpected(error: unknown): error is Error {
  if ([CommandError, ConfigError, StoreError, EncryptionKeyError].some((kind) => error instanceof kind)) return true;
  return error instanceof Error && "code" in error && /^E[A-Z]+$/.test(String(error.code));
}

function wordsOf(task: string, error: Error): string {
  const meaning = meaningOf(error);
  if (meaning === undefined) return error.message;
  return `Cannot run ${[callOf(task), placeIn(error), meaning].filter((part) => part !== undefined).join(": ")}`;
}

/** The file that a command may not use, and why; `undefined`: that is not what is wrong. */
function barredIn(error: unknown): string | undefined {
  if (!(error instanceof Deno.errors.NotCapable)) return undefined;
  // What follows there is about flags, which are not the user's to set.
  const [, system] = /^Requires all access to (".*")/.exec(error.message) ?? [];
  if (system !== undefined) return `Deno lets no program use ${system}: name another place`;
  const [, needed] = /^Requires ((?:read|write) access to (?:".*"|<\w+>))/.exec(error.message) ?? [];
  return needed && `it has no ${needed}: a file made by deno compile may use no folder but that of its store; ` +
      "backup and restore take - instead of a file, for standard output and input";
}

/** What is wrong with the command line, in words that go on after a colon; `undefined`: nothing is. */
function misuseOf(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message;
  // Errors of `parseArgs` are TypeErrors with a code of their own; what follows the first sentence is about "--".
  const parsed = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  if (!parsed) return undefined;
  const [first = ""] = error.message.split(/\. |\n/);
  return first.charAt(0).toLowerCase() + first.slice(1).replace(/\.$/, "");
}

/**
 * Reads the value of an option that is a number above 0.
 *
 * @throws {UsageError} if it is none
 */
export function positiveNumber(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const number = Number(text);
  if (!(number > 0)) throw new UsageError(`--${name} ${text} is no number above 0`);
  return number;
}

/** Lists what can be asked for by name, a line each. */
export function listNames(all: readonly { readonly name: string; readonly does: string }[]): string[] {
  const width = Math.max(...all.map(({ name }) => name.length));
  return all.map(({ name, does }) => `  ${name.padEnd(width)}  ${does}`);
}

/**
 * Finds what was asked for by name.
 *
 * @param kind What it is, such as `scenario`.
 * @throws {UsageError} that says which there are
 */
export function findNamed<T extends { readonly name: string }>(kind: string, all: readonly T[], wanted: string): T {
  const found = all.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  throw new UsageError(`there is no ${kind} ${wanted}, only ${all.map(({ name }) => name).join(", ")}`);
}
