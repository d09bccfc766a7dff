/**
 * Cleaning up that happens even when nobody is left to do it: after a failed test, Ctrl-C, `Deno.exit` or `kill -9`.
 *
 * @module
 */

/** A clean-up that is certain to run: on {@linkcode CleanupGuard.release}, or when this process ends in any way. */
export interface CleanupGuard {
  /** Runs the clean-up now and resolves when it is done. Later calls resolve with the first. */
  release(): Promise<void>;
}

/**
 * Starts a guard: a shell in a session of its own (so that Ctrl-C does not reach it) which waits until its standard
 * input closes, and then runs `script`. The system closes that input when this process ends, whatever ends it.
 *
 * @param script Shell commands, safe to run when there is nothing to clean up.
 * @param args Become `$1`, `$2`, … of the script.
 */
export function guardCleanup(script: string, args: readonly string[]): CleanupGuard {
  const shell = new Deno.Command("sh", {
    args: ["-c", `cat >/dev/null\n${script}`, "cleanup-guard", ...args],
    stdin: "piped",
    stdout: "null",
    stderr: "null",
    detached: true,
  }).spawn();
  shell.unref();
  let released: Promise<void> | undefined;
  const release = async () => {
    shell.ref();
    await shell.stdin.close();
    await shell.status;
  };
  return { release: () => released ??= release() };
}
