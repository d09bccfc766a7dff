import amqplib from "amqplib";
import { cpus, loadavg, totalmem } from "node:os";
import { z } from "zod";

const serverSchema = z.object({ product: z.string(), version: z.string() });

/** What is measured on: processors, memory and versions, a line each. */
export async function describeMachine(amqpUrl: string): Promise<string[]> {
  const model = await amqplib.connect(amqpUrl);
  const broker = serverSchema.parse(model.connection.serverProperties);
  await model.close();
  const processors = cpus();
  const { deno, v8 } = Deno.version;
  return [
    `${processors.length} processors (${processors[0]?.model.trim() ?? "unknown"}), ` +
    `${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${Deno.build.os} ${Deno.osRelease()}`,
    `Deno ${deno}, V8 ${v8}, ${broker.product} ${broker.version} (a private node, a quorum queue bound)`,
  ];
}

/**
 * The commit that is checked out, and whether anything was changed since; in words where there is no repository.
 *
 * @param checkout Where; default: in this repository.
 */
export async function describeCommit(checkout: string | URL = new URL("..", import.meta.url)): Promise<string> {
  const git = async (...args: string[]) => {
    const { success, stdout } = await new Deno.Command("git", { args, cwd: checkout }).output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  };
  const commit = await git("rev-parse", "--short", "HEAD").catch(() => undefined);
  if (commit === undefined) return "unknown";
  return await git("status", "--porcelain") === "" ? commit : `${commit} with changes`;
}

/** Says that the machine is at work on something else, by its load average of the last minute; `undefined` if it is not. */
export function describeOtherWork(): string | undefined {
  const [load = 0] = loadavg();
  const processors = cpus().length;
  if (load < processors / 2) return undefined;
  return `the machine was at work on something else when the run began (load average ${load.toFixed(1)} on ` +
    `${processors} processors): do not rely on these figures`;
}
