/**
 * A RabbitMQ for tests, from wherever there is one: the URL in `TEST_AMQP_URL`, else an installed rabbitmq-server run
 * as a private node, else one installed with apt-get, else Docker. There is always one or an error, never a skip.
 *
 * ```ts
 * const rabbitmq = await provideRabbitmq();
 * try {
 *   await connect(rabbitmq.url);
 * } finally {
 *   await rabbitmq.stop();
 * }
 * ```
 *
 * @module
 */

import { installRabbitmq } from "./rabbitmq/apt.ts";
import { startDockerNode } from "./rabbitmq/docker.ts";
import { startInstalledCluster, startInstalledNode } from "./rabbitmq/installed.ts";
import type { PrivateNode, Rabbitmq } from "./rabbitmq/types.ts";
import {
  choosePrivateWay,
  chooseWay,
  lookAround,
  NoRabbitmqError,
  type PrivateWay,
  type Surroundings,
} from "./rabbitmq/ways.ts";

export type { PrivateNode, Rabbitmq } from "./rabbitmq/types.ts";

// To the error stream: the last line of the output belongs to the tests' result.
function say(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`RabbitMQ: ${line}\n`));
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  if (shown.password) shown.password = "***";
  return shown.href;
}

async function installFirst(surroundings: Surroundings): Promise<PrivateNode> {
  say("none is installed, so apt-get installs one");
  let options: ErrorOptions | undefined;
  try {
    await installRabbitmq();
  } catch (cause) {
    options = { cause };
  }
  const installed = { ...surroundings, canInstall: () => Promise.resolve(false) };
  return await startNode(await choosePrivateWay(installed, options), installed);
}

async function startNode(way: PrivateWay, surroundings: Surroundings): Promise<PrivateNode> {
  if (way.kind === "install") return await installFirst(surroundings);
  const node = way.kind === "installed" ? await startInstalledNode(way.server) : await startDockerNode();
  say(node.how);
  return node;
}

/**
 * Provides a RabbitMQ for tests that use it and do it no harm, and prints which. It accepts AMQP when this resolves.
 *
 * @param surroundings Where it is looked for; for tests.
 * @throws {NoRabbitmqError} If there is none and no way to get one; the message says what to install or to set.
 */
export async function provideRabbitmq(surroundings: Surroundings = lookAround()): Promise<Rabbitmq> {
  const way = await chooseWay(surroundings);
  if (way.kind !== "given") return await startNode(way, surroundings);
  const how = `the one at TEST_AMQP_URL, ${withoutPassword(way.url)}`;
  say(how);
  return { url: way.url, how, stop: () => Promise.resolve() };
}

/**
 * Provides a RabbitMQ of one's own, to kill and restart, and prints which. Never the one at `TEST_AMQP_URL`. Several
 * can run at the same time.
 *
 * @throws {NoRabbitmqError} If there is no way to run one; the message says what to install.
 */
export async function providePrivateNode(): Promise<PrivateNode> {
  const surroundings = lookAround();
  return await startNode(await choosePrivateWay(surroundings), surroundings);
}

/**
 * Provides a cluster of one's own, of nodes that run on this machine itself, and prints which.
 *
 * @throws {NoRabbitmqError} If none is installed and none can be; a cluster in Docker is not tried.
 */
export async function provideCluster(count: number): Promise<PrivateNode[]> {
  const surroundings = { ...lookAround(), dockerAnswers: () => Promise.resolve(false) };
  if ((await choosePrivateWay(surroundings)).kind === "install") await installRabbitmq();
  const way = await choosePrivateWay({ ...surroundings, canInstall: () => Promise.resolve(false) });
  if (way.kind !== "installed") throw new NoRabbitmqError();
  const nodes = await startInstalledCluster(way.server, count);
  for (const { how } of nodes) say(`of a cluster, ${how}`);
  return nodes;
}

/**
 * Resolves when what was declared at a node survives a kill. RabbitMQ 3.10 answers before all of it is on disk: after a kill
 * in the next moments a binding may be gone, and what is published then has nowhere to go; a new quorum queue, which is
 * noted every half second, may be unusable.
 */
export async function settle(node: PrivateNode): Promise<void> {
  await node.ctl("eval", "[ok = dets:sync(Table) || Table <- dets:all()], mnesia:sync_log().");
}
