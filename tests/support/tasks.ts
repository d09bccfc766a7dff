/** How a task ended, and what it said. */
export interface TaskRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `deno task` with `args`, with its own permissions, and waits for its end. */
export async function runTask(args: readonly string[], env: Record<string, string>): Promise<TaskRun> {
  const { TEST_AMQP_URL: _, ...inherited } = Deno.env.toObject();
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", ...args],
    cwd: new URL("../..", import.meta.url),
    clearEnv: true,
    env: { ...inherited, NO_COLOR: "1", ...env },
  }).output();
  return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}
