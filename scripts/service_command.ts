import { readTask, STORE } from "./cli/tasks.ts";

/**
 * The arguments with which `deno task start` runs the service on a store in `folder`: the very permissions, without the
 * task around it, so that a kill hits the service itself.
 *
 * @param preload A module to run before it.
 * @throws {Error} if the task does not end in a `deno run`
 */
export async function serviceCommand(folder: string, preload?: string): Promise<string[]> {
  const { args: [first = "", ...others] } = await readTask("start");
  const placed = others.map((arg) => arg.replaceAll(STORE, folder));
  return [first, ...preload === undefined ? [] : [`--preload=${preload}`], ...placed];
}
