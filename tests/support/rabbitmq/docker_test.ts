import assert from "node:assert/strict";
import { startDockerNode } from "./docker.ts";

/** Stands in for Docker: once there is a container, something answers on its published port as a broker does. */
function fakeDocker() {
  const ran: string[] = [];
  let listener: Deno.TcpListener | undefined;
  const answer = async (published: string) => {
    listener = Deno.listen({ hostname: "127.0.0.1", port: Number(published.split(":")[1]) });
    for await (const connection of listener) {
      await connection.write(new Uint8Array([1]));
      connection.close();
    }
  };
  const run = (command: string, args: readonly string[]) => {
    ran.push(`${command} ${args[0]}`);
    const published = args.find((arg) => arg.endsWith(":5672"));
    if (published) void answer(published);
    return Promise.resolve();
  };
  return { ran, run, close: () => listener?.close() };
}

Deno.test("startDockerNode runs a container that can be killed and started again", async () => {
  const docker = fakeDocker();
  const node = await startDockerNode(docker.run);
  await node.kill();
  await node.restart();
  docker.close();
  await node.stop();
  assert.deepEqual(docker.ran, ["docker run", "docker kill", "docker kill", "docker start"]);
  assert.match(node.url, /^amqp:\/\/guest:guest@127\.0\.0\.1:\d+$/);
});

Deno.test("startDockerNode fails when docker cannot run the image", async () => {
  await assert.rejects(startDockerNode(() => Promise.reject(new Error("no such image"))), /no such image/);
});
