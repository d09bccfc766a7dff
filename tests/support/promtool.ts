/** Prometheus' own checker, installed with apt-get where it is not there and we are root. */

import { installPackage } from "./apt.ts";

let installed: Promise<void> | undefined;

async function install(): Promise<void> {
  const { success } = await new Deno.Command("sh", { args: ["-c", "command -v promtool"], stdout: "null" }).output();
  if (!success) await installPackage("prometheus");
}

/** Runs promtool with `input` on its standard input; gives whether it is content, and all that it said. */
export async function promtool(args: readonly string[], input = ""): Promise<{ ok: boolean; output: string }> {
  await (installed ??= install());
  const process = new Deno.Command("promtool", {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stdout, stderr } = await process.output();
  const text = new TextDecoder();
  return { ok: success, output: text.decode(stdout) + text.decode(stderr) };
}
