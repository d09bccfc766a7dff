import { CommandError } from "./cli/command.ts";

/**
 * `text` as `deno fmt` would leave it.
 *
 * @throws {CommandError} if it cannot be read as that
 */
export async function formatted(text: string, ext: "md" | "ts"): Promise<string> {
  const fmt = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext", ext, "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = fmt.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { success, stdout } = await fmt.output();
  if (success) return new TextDecoder().decode(stdout);
  throw new CommandError(`Cannot format the ${ext}: deno fmt does not take it, see above`);
}
