/**
 * A private RabbitMQ node from an installed rabbitmq-server: its own name, ports, and folder for data, logs and cookie,
 * so that several run side by side, and beside the system's own.
 *
 * @module
 */

import { guardCleanup } from "../cleanup_guard.ts";
import { freePorts } from "../ports.ts";
import { waitForAmqp } from "./amqp_ready.ts";
import { runRecorded } from "./process.ts";
import { runQuietly } from "./run.ts";
import type { PrivateNode } from "./types.ts";

// Ends the processes whose ids lie in the folder, waits until they are gone (or are zombies), and removes the folder.
const CLEAN_UP = `
pids=$(cat "$1"/*.pid)
for pid in $pids; do kill -9 "$pid"; done
tries=0
for pid in $pids; do
  while kill -0 "$pid" && [ "$tries" -lt 100 ]; do
    case $(ps -o stat= -p "$pid") in Z*) break ;; esac
    sleep 0.05
    tries=$((tries + 1))
  done
done
rm -rf "$1"`;

/** What a node has of its own, and what it shares with those of its cluster. */
interface Identity {
  readonly amqp: number;
  readonly distribution: number;
  readonly epmd: number;
  readonly cookie: string;
  /** The AMQP port of the node whose cluster it joins; `undefined`: it begins one. */
  readonly joins: number | undefined;
}

function identities(count: number): Identity[] {
  const [epmd = 0, ...ports] = freePorts(1 + 2 * count);
  const cookie = crypto.randomUUID().replaceAll("-", "");
  return ports.slice(0, count).map((amqp, index) => {
    return { amqp, distribution: ports[count + index] ?? 0, epmd, cookie, joins: index === 0 ? undefined : ports[0] };
  });
}

const nodeName = (amqp: number) => `inlet-${amqp}@localhost`;

async function prepare(folder: string, identity: Identity): Promise<Record<string, string>> {
  const { amqp, distribution, epmd, cookie, joins } = identity;
  await Deno.mkdir(`${folder}/home`);
  await Deno.writeTextFile(`${folder}/home/.erlang.cookie`, cookie, { mode: 0o400 });
  const peers = joins === undefined ? [] : [
    "cluster_formation.peer_discovery_backend = classic_config",
    `cluster_formation.classic_config.nodes.1 = ${nodeName(joins)}`,
    `cluster_formation.classic_config.nodes.2 = ${nodeName(amqp)}`,
  ];
  const settings = [`listeners.tcp.1 = 127.0.0.1:${amqp}`, "log.file.level = info", ...peers, ""];
  await Deno.writeTextFile(`${folder}/rabbitmq.conf`, settings.join("\n"));
  await Deno.writeTextFile(`${folder}/plugins`, "[].\n");
  // Names are looked up in the hosts file: Erlang's native look-up leaves a helper process behind after a kill.
  await Deno.writeTextFile(`${folder}/inetrc`, "{lookup, [file]}.\n");
  return {
    HOME: `${folder}/home`,
    ERL_EPMD_ADDRESS: "127.0.0.1",
    ERL_EPMD_PORT: `${epmd}`,
    ERL_INETRC: `${folder}/inetrc`,
    RABBITMQ_ALLOW_INPUT: "true", // The start script becomes the broker instead of watching over it; see -noinput.
    RABBITMQ_CONFIG_FILE: `${folder}/rabbitmq.conf`,
    RABBITMQ_CONF_ENV_FILE: `${folder}/none`,
    RABBITMQ_DIST_PORT: `${distribution}`,
    RABBITMQ_ENABLED_PLUGINS_FILE: `${folder}/plugins`,
    RABBITMQ_LOG_BASE: `${folder}/log`,
    RABBITMQ_MNESIA_BASE: `${folder}/mnesia`,
    RABBITMQ_NODENAME: nodeName(amqp),
    RABBITMQ_NODE_PORT: `${amqp}`,
    RABBITMQ_PID_FILE: `${folder}/rabbitmq`,
    RABBITMQ_SERVER_START_ARGS: "-noinput -kernel inet_dist_use_interface {127,0,0,1}",
  };
}

async function lastOutput(folder: string): Promise<string> {
  const output = await Deno.readTextFile(`${folder}/output.log`).catch(() => "(nothing)");
  return output.trimEnd().split("\n").slice(-15).join("\n");
}

async function startOnce(server: string, identity: Identity): Promise<PrivateNode> {
  const folder = await Deno.makeTempDir({ prefix: "inlet-rabbitmq-" });
  const guard = guardCleanup(CLEAN_UP, [folder]);
  const { amqp, epmd: epmdPort } = identity;
  const env = await prepare(folder, identity);
  // Of a cluster, one is enough, and the others end by themselves.
  const epmd = runRecorded(folder, "epmd", ["epmd", "-address", "127.0.0.1", "-port", `${epmdPort}`], env);
  // Where there is none yet, Erlang starts one itself, which nobody would end.
  while (!await isListening(epmdPort) && epmd.ended === undefined) await pause();
  const runBroker = () => runRecorded(folder, "broker", [server], env);
  let broker = runBroker();
  const ready = async () => {
    const gaveUp = () => broker.ended && `the broker ended with code ${broker.ended.code}`;
    await waitForAmqp({ port: amqp, gaveUp }).catch(async (cause) => {
      throw new Error(`Cannot start ${server}: its last words were\n${await lastOutput(folder)}`, { cause });
    });
  };
  const stop = async () => {
    await Promise.all([broker.kill(), epmd.kill()]);
    await guard.release();
  };
  const restart = async () => {
    await broker.kill();
    broker = runBroker();
    await ready();
  };
  try {
    await ready();
  } catch (error) {
    await stop();
    throw error;
  }
  const url = `amqp://guest:guest@127.0.0.1:${amqp}`;
  const ctl = async (...args: string[]) => {
    await runQuietly(`${server.slice(0, server.lastIndexOf("/"))}/rabbitmqctl`, args, env);
  };
  const how = `a private node of ${server} on port ${amqp}`;
  return { url, how, folder, kill: () => broker.kill(), restart, ctl, stop };
}

async function isListening(port: number): Promise<boolean> {
  return await Deno.connect({ hostname: "127.0.0.1", port }).then((connection) => {
    connection.close();
    return true;
  }, () => false);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

async function inThreeTries<T>(start: () => Promise<T>): Promise<T> {
  for (let tries = 1;; tries++) {
    try {
      return await start();
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
}

/**
 * Starts a private node and waits until it accepts AMQP. It ends and its folder goes with `stop`, or when this process
 * ends, whatever ends it. A start that fails is tried again on other ports, since somebody may have taken one.
 *
 * @param server Path of the `rabbitmq-server` start script.
 * @throws {Error} If the node does not start in three tries; the message holds its last output.
 */
export async function startInstalledNode(server: string): Promise<PrivateNode> {
  const [node] = await startInstalledCluster(server, 1);
  if (node === undefined) throw new Error(`Cannot start ${server}: no node was asked for`);
  return node;
}

/**
 * Likewise starts several nodes, which form a cluster.
 *
 * @throws {Error} If one does not start, in three tries
 */
export async function startInstalledCluster(server: string, count: number): Promise<PrivateNode[]> {
  return await inThreeTries(async () => {
    const [identity, ...others] = identities(count);
    if (identity === undefined) return [];
    const first = await startOnce(server, identity);
    const joined = await Promise.allSettled(others.map((other) => startOnce(server, other)));
    const nodes = [first, ...joined.flatMap((start) => start.status === "fulfilled" ? [start.value] : [])];
    const failed = joined.find((start) => start.status === "rejected");
    if (failed === undefined) return nodes;
    await Promise.all(nodes.map((node) => node.stop()));
    throw failed.reason;
  });
}
