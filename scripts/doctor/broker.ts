import amqplib, { type Channel, type ChannelModel } from "amqplib";
import { z } from "zod";
import { amqpUrlsIn } from "../../server/amqp_urls.ts";
import { explainConnectionError } from "../../server/broker/explain.ts";
import { within } from "../../server/timeouts.ts";
import type { Config } from "../../server/config.ts";
import { type Finding, findingsOf, wordsOf } from "./finding.ts";

const CONNECT_TIMEOUT_MS = 15_000;
/** How long the broker may take for one answer. */
const ANSWER_TIMEOUT_MS = 15_000;

const { ok, warning, problem } = findingsOf("broker");

const serverSchema = z.object({
  properties: z.object({ product: z.string().default("a broker"), version: z.string().default("") }),
});

/** Whether the broker can be reached, and Inlet may do there what it does. Declares nothing and publishes nothing. */
export async function examineBroker({ amqpUrl, exchange }: Config): Promise<Finding[]> {
  if (amqpUrl === undefined) {
    return [warning("AMQP_URL is not set: events reach only the live stream, and nothing keeps them", "Set AMQP_URL")];
  }
  const nodes = await Promise.all(amqpUrlsIn(amqpUrl).map((url) => examineNode(url, exchange)));
  const some = nodes.some(({ isReached }) => isReached);
  return nodes.flatMap(({ isReached, findings }) => {
    // One node of a cluster is enough to publish.
    return some && !isReached ? findings.map((finding) => ({ ...finding, state: "warning" as const })) : findings;
  });
}

/** Failures of before the broker could say anything. */
const UNANSWERED = /ECONNREFUSED|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|no AMQP|no TLS/;

/** Looks at one node, or at the only one. */
async function examineNode(
  amqpUrl: string,
  exchange: string,
): Promise<{ readonly isReached: boolean; readonly findings: readonly Finding[] }> {
  const { host } = new URL(amqpUrl);
  let connection: ChannelModel;
  try {
    connection = await amqplib.connect(amqpUrl, {
      timeout: CONNECT_TIMEOUT_MS,
      clientProperties: { product: "inlet doctor" },
    });
  } catch (error) {
    const reason = explainConnectionError(error instanceof Error ? error : new Error(String(error)));
    const remedy = UNANSWERED.test(reason)
      ? "Start the broker, or correct host and port in AMQP_URL"
      : "Correct AMQP_URL, or what the broker has: rabbitmqctl list_users, list_vhosts, list_permissions";
    const findings = [problem(`no connection to ${host}: ${reason}`, remedy)];
    return { isReached: false, findings };
  }
  connection.on("error", () => {});
  try {
    const { product, version } = serverSchema.parse({ properties: connection.connection.serverProperties }).properties;
    const findings = [
      ok(`connected to ${host}, ${product} ${version}`.trimEnd()),
      ...await examineExchange(connection, exchange, { type: "topic", options: { durable: true } }),
      ...await examineExchange(connection, `${exchange}.live`, {
        type: "fanout",
        options: { durable: false, autoDelete: false },
      }),
    ];
    return { isReached: true, findings };
  } catch (error) {
    const findings = [problem(`${host} does not answer: ${wordsOf(error)}`, "Look at the broker's log")];
    return { isReached: false, findings };
  } finally {
    await connection.close().catch(() => {});
  }
}

interface Form {
  readonly type: "topic" | "fanout";
  readonly options: { readonly durable: boolean; readonly autoDelete?: boolean };
}

async function examineExchange(connection: ChannelModel, name: string, { type, options }: Form): Promise<Finding[]> {
  const absent = await refusalOf(connection, (channel) => channel.checkExchange(name));
  if (absent?.code === NOT_FOUND) return [ok(`there is no exchange ${name} yet; the service declares it`)];
  // Of an exchange that is there, declaring asks only whether it is like that, and for the permission that a start needs.
  const refusal = absent ?? await refusalOf(connection, (channel) => channel.assertExchange(name, type, options));
  if (refusal?.code === NOT_ALIKE) {
    const wanted = `${options.durable ? "durable" : "transient"} ${type} exchange`;
    return [
      problem(
        `there is an exchange ${name}, and it is no ${wanted}`,
        "Set AMQP_EXCHANGE to another name, or delete that one",
      ),
    ];
  }
  const remedy = `Let the user configure, write and read ${name} (rabbitmqctl set_permissions)`;
  if (refusal !== undefined) return [problem(`the user may not declare ${name}: ${refusal.reason}`, remedy)];
  // Taking away a binding that is not there changes nothing, and wants the permission to write that publishing wants.
  const unwritable = await refusalOf(connection, (channel) => channel.unbindExchange(name, "amq.topic", NO_KEY));
  // It also wants to read the other exchange, which nothing else needs.
  if (unwritable?.reason.includes(`'${name}'`)) {
    return [problem(`the user may not publish to ${name}: ${unwritable.reason}`, remedy)];
  }
  return [ok(`exchange ${name} is there, as it has to be, and may be written`)];
}

const NO_KEY = "inlet.doctor";
/** Reply codes of AMQP 0-9-1, section 1.1. */
const NOT_FOUND = 404;
const NOT_ALIKE = 406;

/** Why the broker refuses something; it closes the channel over it, so each gets one of its own. */
async function refusalOf(
  connection: ChannelModel,
  ask: (channel: Channel) => Promise<unknown>,
): Promise<{ readonly code: number | undefined; readonly reason: string } | undefined> {
  const late = () => new Error("no answer in time");
  const channel = await within(ANSWER_TIMEOUT_MS, connection.createChannel(), late);
  channel.on("error", () => {});
  try {
    await within(ANSWER_TIMEOUT_MS, ask(channel), late);
    await channel.close();
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : undefined;
    if (code === undefined) throw error;
    return { code, reason: /"(.*)"/.exec(wordsOf(error))?.[1] ?? wordsOf(error) };
  }
}
