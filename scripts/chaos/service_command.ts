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
  const [first = "", ...others] = (await startTask()).run.replaceAll('"', "").replaceAll("$STORE", folder).split(" ");
  return [first, ...preload === undefined ? [] : [`--preload=${preload}`], ...others];
}

/** The variables that `deno task start` sets for the service, as `NAME=value`. */
export async function serviceVariables(): Promise<string[]> {
  return (await startTask()).variables.split(" ").filter((variable) => variable !== "");
}

async function startTask(): Promise<{ variables: string; run: string }> {
  const text = await Deno.readTextFile(new URL("../../deno.json", import.meta.url));
  const { command } = configSchema.parse(JSON.parse(text)).tasks.start;
  const [, variables, run] = /&& ((?:[A-Z_]+=\w+ )*)deno (run --no-prompt [^&|;]*)$/.exec(command) ?? [];
  if (variables !== undefined && run !== undefined) return { variables, run };
  throw new Error("Cannot run the service: the start task in deno.json is no `deno run`");
}
