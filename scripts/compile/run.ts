import { CommandError as ToldError } from "../cli/command.ts";

/** A command that failed, with what it said. */
export class CommandError extends ToldError {
  constructor(command: string, readonly said: string) {
    super(`Cannot compile: ${command} failed:\n${said.trim()}`);
  }
}

/**
 * Runs a command to its end.
 *
 * @throws {CommandError} if it ends with another code than 0
 */
export async function run(
  command: string,
  args: readonly string[],
  cwd?: string,
  env: Record<string, string> = {},
): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, {
    args: [...args],
    ...cwd === undefined ? {} : { cwd },
    env,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new CommandError(`${command} ${args[0]}`, new TextDecoder().decode(stderr));
}
