/** A process that runs in the background, and whose id lies in a file for whoever has to end it. */
export interface RunningProcess {
  /** How it ended, once it has. */
  readonly ended: Deno.CommandStatus | undefined;
  /** Ends it at once with SIGKILL, and resolves when it is gone. Does nothing if it is. */
  kill(): Promise<void>;
}

// The id is written before the command runs, so that no process is ever unrecorded, and `exec` makes the shell become
// the command, so that the id is the command's own.
const START = `echo $$ > "$1/$2.pid"; output="$1/output.log"; shift 2; exec "$@" >> "$output" 2>&1 < /dev/null`;

/**
 * Runs `command` in a session of its own, where Ctrl-C does not reach it. Its process id goes to `<folder>/<name>.pid`
 * while it runs, its output to the end of `<folder>/output.log`. It does not keep this process from ending.
 */
export function runRecorded(
  folder: string,
  name: string,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): RunningProcess {
  const child = new Deno.Command("sh", {
    args: ["-c", START, "run-recorded", folder, name, ...command],
    env,
    stdin: "null",
    stdout: "null",
    stderr: "null",
    detached: true,
  }).spawn();
  child.unref();
  let status: Deno.CommandStatus | undefined;
  const ending = child.status.then((ended) => {
    status = ended;
  });
  return {
    get ended() {
      return status;
    },
    async kill() {
      child.ref();
      try {
        if (!status) child.kill("SIGKILL");
      } catch {
        // It has ended by itself in this very moment.
      }
      await ending;
      await Deno.remove(`${folder}/${name}.pid`).catch(() => {});
    },
  };
}
