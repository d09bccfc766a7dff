/** How the commands that look after a store speak, and how they end. */
import { ConfigError, EncryptionKeyError, StoreError } from "../../server/errors.ts";

/** The command line is wrong: the command ends with 2, and says how to call it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Something that the operator has to mend: the command ends with 1 and this on one line. */
export class KeepError extends Error {
  override readonly name = "KeepError";
}

/** Writes a line to standard output. */
export function print(text: string): void {
  // deno-lint-ignore no-console -- a command speaks on standard output
  console.log(text);
}

function complain(text: unknown): void {
  // deno-lint-ignore no-console -- a command speaks of its failures on standard error
  console.error(text);
}

/** Runs a command and ends the process: with what `run` gives, with 1 where it fails, with 2 where it was called wrongly. */
export async function runCommand(help: string, run: () => Promise<number>): Promise<never> {
  try {
    Deno.exit(await run());
  } catch (error) {
    if (isUsageError(error)) {
      complain(`${error.message}\n\n${help}`);
      Deno.exit(2);
    }
    complain(isExpected(error) ? error.message : error);
    Deno.exit(1);
  }
}

/** What is the operator's to mend: of the system's errors (a full disk, a missing permission) too. */
function isExpected(error: unknown): error is Error {
  if ([KeepError, ConfigError, StoreError, EncryptionKeyError].some((kind) => error instanceof kind)) return true;
  return error instanceof Error && "code" in error && /^E[A-Z]+$/.test(String(error.code));
}

/** Of node:util's `parseArgs`, errors of usage are TypeErrors with a code of their own. */
function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

/** Shows on a terminal how far long work has come, on one line that is written over; elsewhere nothing. */
export class Progress {
  readonly #isShown = Deno.stderr.isTerminal();
  #shown = "";

  /** @param text What is being done, and how far it is. */
  show(text: string): void {
    if (!this.#isShown || text === this.#shown) return;
    this.#shown = text;
    this.#write(`\r\x1b[K${text}`);
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#shown !== "") this.#write("\r\x1b[K");
    this.#shown = "";
  }

  #write(text: string): void {
    Deno.stderr.writeSync(new TextEncoder().encode(text));
  }
}

/** A size in bytes, for people. */
export function formatBytes(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return power === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** power).toFixed(1)} ${units[power]}`;
}
