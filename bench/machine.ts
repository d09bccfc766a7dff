import { cpus, loadavg, totalmem } from "node:os";

/** What is measured on: processors, memory and versions, a line each. */
export function describeMachine(brokerHow: string): string[] {
  const processors = cpus();
  const { deno, v8 } = Deno.version;
  return [
    `${processors.length} processors (${processors[0]?.model.trim() ?? "unknown"}), ` +
    `${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${Deno.build.os} ${Deno.osRelease()}`,
    `Deno ${deno}, V8 ${v8}`,
    `RabbitMQ: ${brokerHow}`,
  ];
}

/** The commit that is checked out, and whether anything was changed since; in words where there is no repository. */
export async function describeCommit(): Promise<string> {
  const git = async (...args: string[]) => {
    const { success, stdout } = await new Deno.Command("git", { args, cwd: new URL("..", import.meta.url) }).output();
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
