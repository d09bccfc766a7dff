/** Installing RabbitMQ where apt rules and we are root: on a fresh Debian or Ubuntu machine, as in CI. */

import { installPackage } from "../apt.ts";
import type { RunCommand } from "./run.ts";

/**
 * Installs the package rabbitmq-server without letting it start a node on the default port.
 *
 * @param run Runs apt-get; for tests.
 * @param policy See {@linkcode installPackage}; for tests.
 * @throws {Error} If apt-get fails.
 */
export async function installRabbitmq(run?: RunCommand, policy?: string): Promise<void> {
  await installPackage("rabbitmq-server", run, policy);
}
