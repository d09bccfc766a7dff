/**
 * How the commands of this program are called: `deno task backup` in a checkout, `inlet backup` where there is none.
 *
 * @module
 */

/** What `deno task assemble` and `deno task compile` start, see scripts/inlet.ts. */
const PROGRAM = "/scripts/inlet.ts";

/** Asked at each call, since the tests of a checkout have many main modules. */
function isAssembled(): boolean {
  return Deno.mainModule.endsWith(PROGRAM);
}

/** What to type for a command, as `backup`: for messages that name one. */
export function callOf(command: string): string {
  return `${isAssembled() ? "inlet" : "deno task"} ${command}`;
}

/** The arguments that a command was called with, without its own name. */
export function commandArguments(): string[] {
  return isAssembled() ? Deno.args.slice(1) : [...Deno.args];
}
