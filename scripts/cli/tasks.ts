import { z } from "zod";

const configSchema = z.object({ tasks: z.record(z.string(), z.object({ command: z.string() })) });

/** What a task of deno.json runs in the end. */
export interface TaskCommand {
  /** What it sets, as `NAME=value`. */
  readonly variables: readonly string[];
  /** The arguments of its `deno`: `run`, its permissions, the entry. The store's folder is {@link STORE} in them. */
  readonly args: readonly string[];
}

/** What tasks call the store's folder in their permissions. */
export const STORE = "$STORE";

/**
 * Reads a task: the permissions are written there, and nowhere else.
 *
 * @throws {Error} if there is none of that name, or it does not end in a `deno run`
 */
export async function readTask(task: string): Promise<TaskCommand> {
  const text = await Deno.readTextFile(new URL("../../deno.json", import.meta.url));
  const { command = "" } = configSchema.parse(JSON.parse(text)).tasks[task] ?? {};
  const [, variables, run] = /(?:^|&& )((?:[A-Z_]+=\w+ )*)deno (run --no-prompt [^&|;]*)$/.exec(command) ?? [];
  if (variables === undefined || run === undefined) {
    throw new Error(`Cannot read the task ${task} in deno.json: it does not end in a deno run`);
  }
  return {
    variables: variables.split(" ").filter((variable) => variable !== ""),
    args: run.replaceAll('"', "").split(" "),
  };
}
