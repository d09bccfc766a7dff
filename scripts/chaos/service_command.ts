import { z } from "zod";

const configSchema = z.object({ tasks: z.object({ start: z.object({ command: z.string() }) }) });

/**
 * The arguments with which `deno task start` runs the service on a store in `folder`: the very permissions, without the
 * task around it, so that a kill hits the service itself.
 *
 * @param preload A module to run before it.
 * @throws {Error} if the task does not end in a `deno run`
 */
export async function serviceCommand(folder: string, preload?: string): Promise<string[]> {
  const text = await Deno.readTextFile(new URL("../../deno.json", import.meta.url));
  const [, run] = / deno (run --no-prompt [^&|;]*)$/.exec(configSchema.parse(JSON.parse(text)).tasks.start.command) ??
    [];
  if (run === undefined) throw new Error("Cannot run the service: the start task in deno.json is no `deno run`");
  const [first = "", ...others] = run.replaceAll('"', "").replaceAll("$STORE", folder).split(" ");
  return [first, ...preload === undefined ? [] : [`--preload=${preload}`], ...others];
}
