/** What commands have in common. */

/** Something to tell the user, without a stack. */
export class UsageError extends Error {}

/** Says something on standard output. */
export function print(text: string): void {
  // deno-lint-ignore no-console -- a command speaks on standard output
  console.log(text);
}

/**
 * Reads the value of an option that is a number above 0.
 *
 * @throws {UsageError} if it is none
 */
export function positiveNumber(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const number = Number(text);
  if (!(number > 0)) throw new UsageError(`Cannot take --${name} ${text}: it is no number above 0`);
  return number;
}

/** Lists what can be asked for by name, a line each. */
export function listNames(all: readonly { readonly name: string; readonly does: string }[]): string[] {
  const width = Math.max(...all.map(({ name }) => name.length));
  return all.map(({ name, does }) => `  ${name.padEnd(width)}  ${does}`);
}

/** Runs a command and ends the process: with 1 if it gives `false` or throws. */
export async function runCommand(run: () => Promise<boolean>): Promise<never> {
  try {
    Deno.exit(await run() ? 0 : 1);
  } catch (error) {
    // The code is that of `node:util`'s parseArgs, which says what is wrong with an argument.
    const expected = error instanceof UsageError || error instanceof TypeError && "code" in error;
    // deno-lint-ignore no-console -- a command speaks of its failures on standard error
    console.error(expected ? error.message : error);
    Deno.exit(1);
  }
}
