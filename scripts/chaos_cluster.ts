/**
 * Starts a RabbitMQ cluster of three nodes and the service before it, kills the node that the service is connected to and
 * that leads the queue while deliveries come, and keeps account. Ends with 1 if anything accepted is missing or out of
 * order. Wants rabbitmq-server on this machine, or to be root.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { within } from "../server/timeouts.ts";
import { declareQuorumQueue, ForeignConsumer } from "../tests/support/broker.ts";
import { InletProcess } from "../tests/support/inlet.ts";
import { LANE_SECRET, Lanes, namesIn } from "../tests/support/lanes.ts";
import { type PrivateNode, provideCluster } from "../tests/support/rabbitmq.ts";
import { print, runCommand } from "./cli/command.ts";

const HELP =
  `Starts a RabbitMQ cluster of three nodes, kills the one that leads the queue under load, and counts what is lost.

  deno task chaos:cluster

Wants rabbitmq-server on this machine, or to be root. Ends with 1 if anything accepted is missing or out of order.`;

const EXCHANGE = "inlet.events";
/** Deliveries that are confirmed before the kill, and after it. */
const DELIVERIES = 200;

/** How long the deliveries after the kill, and the events that were accepted, may take to come. */
const PATIENCE_MS = 60_000;

async function soon(work: Promise<unknown>, missing: string): Promise<void> {
  await within(PATIENCE_MS, work, () => new Error(`Cannot go on: ${missing} within ${PATIENCE_MS} ms`));
}

async function untilReceived(consumer: ForeignConsumer, count: number): Promise<void> {
  while (namesIn(consumer.messages).length < count) await consumer.until(consumer.messages.length + 1);
}

/** Gives whether all that was accepted arrived, in order. */
async function run(nodes: readonly PrivateNode[]): Promise<boolean> {
  const [first, , last] = nodes;
  if (first === undefined || last === undefined) throw new Error("Cannot run: the cluster has no nodes");
  await first.ctl("await_online_nodes", String(nodes.length));
  await declareQuorumQueue(first.url, EXCHANGE);
  await using consumer = await ForeignConsumer.bind(last.url, EXCHANGE);
  await using inlet = await InletProcess.start({
    command: ["run", "-A", "start.ts"],
    env: { AMQP_URL: nodes.map(({ url }) => url).join(","), AMQP_EXCHANGE: EXCHANGE },
  });
  const webhookUrl = await inlet.enable(await inlet.setUp(), "github", { webhookSecret: LANE_SECRET });
  const lanes = new Lanes(webhookUrl, 8);
  await lanes.until(200, DELIVERIES);
  print(`kill -9 of ${new URL(first.url).host}, which leads the queue`);
  const killedAt = performance.now();
  await first.kill();
  await soon(lanes.until(200, DELIVERIES), "too few deliveries were confirmed after the kill");
  print(`${DELIVERIES} deliveries were confirmed within ${Math.round(performance.now() - killedAt)} ms of the kill`);
  await lanes.stop();
  const accepted = lanes.accepted.flat();
  await soon(untilReceived(consumer, accepted.length), "not all that was accepted was received");
  const names = namesIn(consumer.messages);
  const inOrder = lanes.accepted.every((sent, lane) =>
    JSON.stringify(names.filter((name) => name.startsWith(`${lane}/`))) === JSON.stringify(sent)
  );
  const statuses = [...lanes.statuses].map(([status, count]) => `${count} × ${status || "no answer"}`).join(", ");
  print(`answers: ${statuses}`);
  print(`accepted ${accepted.length}, received ${names.length}, repeats ${consumer.messages.length - names.length}`);
  print(inOrder ? "nothing is missing or out of order" : "NOT IN ORDER");
  for (const line of inlet.output.split("\n").filter((line) => /inlet·broker: /.test(line))) print(line);
  return inOrder;
}

if (import.meta.main) {
  await runCommand({ task: "chaos:cluster", help: HELP }, async (args) => {
    parseArgs({ args, options: {} });
    const nodes = await provideCluster(3);
    try {
      return await run(nodes) ? 0 : 1;
    } finally {
      await Promise.all(nodes.map((node) => node.stop()));
    }
  });
}
