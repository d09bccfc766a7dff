/** A private RabbitMQ node in a Docker container. */

import { guardCleanup } from "../cleanup_guard.ts";
import { freePorts } from "../ports.ts";
import { waitForAmqp } from "./amqp_ready.ts";
import { type RunCommand, runQuietly } from "./run.ts";
import type { PrivateNode } from "./types.ts";

const IMAGE = "rabbitmq:3";

/**
 * Starts a container and waits until its broker accepts AMQP. The container is removed by `stop`, or when this process
 * ends, whatever ends it. (Not by `docker run --rm`: a broker that was killed has to find its data again.)
 *
 * @param run Runs the docker command; for tests.
 * @throws {Error} If docker cannot run the image, or the broker does not answer in time.
 */
export async function startDockerNode(run: RunCommand = runQuietly): Promise<PrivateNode> {
  const [port = 0] = freePorts(1);
  const name = `inlet-rabbitmq-${crypto.randomUUID()}`;
  const guard = guardCleanup(`docker rm --force --volumes "$1"`, [name]);
  const ready = () => waitForAmqp({ port, gaveUp: () => undefined });
  const kill = async () => {
    // Refused for a container that does not run, which is all that a kill is for.
    await run("docker", ["kill", name]).catch(() => {});
  };
  try {
    await run("docker", ["run", "--detach", "--name", name, "--publish", `127.0.0.1:${port}:5672`, IMAGE]);
    await ready();
  } catch (error) {
    await guard.release();
    throw error;
  }
  return {
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    how: `a Docker container of ${IMAGE} on port ${port}`,
    kill,
    async ctl(...args) {
      await run("docker", ["exec", name, "rabbitmqctl", ...args]);
    },
    async restart() {
      await kill();
      await run("docker", ["start", name]);
      await ready();
    },
    stop: () => guard.release(),
  };
}
