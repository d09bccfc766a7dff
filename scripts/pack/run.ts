import { CommandError } from "../cli/command.ts";

/**
 * Runs a command and gives what it printed to its standard output.
 *
 * @throws {CommandError} if it fails, with all that it printed
 */
export async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args, cwd, env: { NO_COLOR: "1" } }).output();
  const text = new TextDecoder();
  if (success) return text.decode(stdout);
  throw new CommandError(`Cannot run "${command} ${args.join(" ")}":\n${text.decode(stdout)}${text.decode(stderr)}`);
}
