/** Installing Debian packages where apt rules and we are root: on a fresh Debian or Ubuntu machine, as in CI. */

import { type CleanupGuard, guardCleanup } from "./cleanup_guard.ts";
import { type RunCommand, runQuietly } from "./rabbitmq/run.ts";

const POLICY = "/usr/sbin/policy-rc.d";

// Debian asks this file before a package starts a service, and 101 forbids it.
async function forbidServices(policy: string): Promise<CleanupGuard | undefined> {
  try {
    await Deno.writeTextFile(policy, "#!/bin/sh\nexit 101\n", { createNew: true, mode: 0o755 });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return undefined;
    throw error;
  }
  return guardCleanup(`rm -f "$1"`, [policy]);
}

/**
 * Installs a package without letting it start a service. Test files run side by side: they install one after another,
 * since apt-get does not always wait for itself, and a policy is for everybody.
 *
 * @param name The package, such as `rabbitmq-server`.
 * @param run Runs apt-get; for tests.
 * @param policy The policy-rc.d file, placed for the time of the installation unless there is one; for tests.
 * @throws {Error} If apt-get fails.
 */
export async function installPackage(
  name: string,
  run: RunCommand = runQuietly,
  policy: string = POLICY,
): Promise<void> {
  // The policy's folder is the lock: it is there already, and nothing stays behind.
  using turn = await Deno.open(policy.slice(0, policy.lastIndexOf("/")));
  await turn.lock(true);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const patience = ["-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3"];
  await run("apt-get", [...patience, "update"], env);
  const guard = await forbidServices(policy);
  try {
    await run("apt-get", [...patience, "install", "-y", "--no-install-recommends", name], env);
  } finally {
    await guard?.release();
  }
}
