import { CommandError } from "./command.ts";

/** A command that failed. */
export class RunError extends CommandError {
  override readonly name = "RunError";

  /** @param said All that it printed. */
  constructor(command: string, readonly said: string) {
    super(`Cannot run "${command}":\n${said.trim()}`);
  }
}

/**
 * Runs a command to its end, and gives what it printed to its standard output.
 *
 * @throws {RunError} if it ends with another code than 0
 */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd?: string | URL; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const options = { args: [...args], ...cwd !== undefined && { cwd }, env: { NO_COLOR: "1", ...env } };
  const { success, stdout, stderr } = await new Deno.Command(command, options).output();
  const [printed, complained] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (success) return printed ?? "";
  throw new RunError([command, ...args.slice(0, 1)].join(" "), `${printed}${complained}`);
}
