/** What {@linkcode runQuietly} is, for whoever replaces it in tests. */
export type RunCommand = typeof runQuietly;

/**
 * Runs a command to its end without showing its output.
 *
 * @throws {Error} If it cannot be run or does not end with code 0; the message holds the end of its output.
 */
export async function runQuietly(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { success, code, stdout, stderr } = await new Deno.Command(command, { args: [...args], env, stdin: "null" })
    .output();
  if (success) return;
  const text = new TextDecoder();
  const output = `${text.decode(stdout)}\n${text.decode(stderr)}`.trim().split("\n").slice(-15).join("\n");
  throw new Error(`Cannot run "${command} ${args.join(" ")}": it ended with code ${code} and said\n${output}`);
}
