import {
  AMQPChannelError,
  AMQPConnectionError,
  AMQPError,
  type AsyncMessage,
  Connection,
  type Consumer,
  ConsumerStatus,
} from "rabbitmq-client";
import { brokerUrl } from "./broker_url.ts";
import { messageHandler } from "./handle.ts";
import type { ConsumeOptions, Problem } from "./options.ts";
import { type Queues, queuesOf } from "./queues.ts";
import { said } from "./said.ts";
import { seenInMemory } from "./seen.ts";
import { setbacksOf } from "./setbacks.ts";

/** A consumer that runs. */
export interface Consumption {
  /**
   * Takes no more messages, waits for the handlers that run, at most `timeoutMs` milliseconds (30 s if it is not given),
   * and closes the connection. What was not handled then stays in the queue. It never rejects, and can be called again. A
   * handler that waits for it waits for itself.
   */
  stop(timeoutMs?: number): Promise<void>;
}

const EXCHANGE = "inlet.events";
const PREFETCH = 10;
/** It is sent in 16 bits (AMQP 0-9-1, basic.qos). */
const MOST_PREFETCH = 65_535;
/** Names of exchanges and queues and routing keys are short strings (AMQP 0-9-1, section 4.2.5.3). */
const LONGEST_NAME_BYTES = 255;
const RETRY_DELAYS_MS = [1_000, 10_000, 60_000] as const;
const DELIVERY_LIMIT = 20;
const CONNECT_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 30_000;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Binds a queue to the service's exchange and calls a handler for each event, its payload checked and typed. Resolves
 * when events are taken.
 *
 * A message is acknowledged after its handler has succeeded, so none is lost when the process dies: it comes again, and
 * `seen` tells a repeat. A handler that fails is called again after each of `retryDelaysMs`; then the message goes to
 * `<queue>.dead`, where what is no event goes at once. When the broker is away, it is connected to again.
 *
 * @throws {TypeError} if there is nothing to bind to, a number or the length of a name is out of range, or `url` is no
 * broker's address
 * @throws {Error} if the broker does not answer within `connectTimeoutMs`, or has a queue or an exchange of the same name
 * and another kind
 */
export async function consume(options: ConsumeOptions): Promise<Consumption> {
  const { queue, on = {}, otherwise, exchange = EXCHANGE, bind = Object.keys(on) } = options;
  const { prefetch = PREFETCH, seen = seenInMemory(), onProblem: report = print } = options;
  const { queueType = "quorum", retryDelaysMs = RETRY_DELAYS_MS, deliveryLimit = DELIVERY_LIMIT } = options;
  assertUsable(options, bind);
  const queues = queuesOf({ queue, queueType, retryDelaysMs, deliveryLimit });
  assertShort([exchange, ...bind, queues.dead.queue, ...queues.waits.map(({ queue }) => queue)]);
  const acquireTimeout = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const connect = () => new Connection({ url: brokerUrl(options.url), acquireTimeout, retryHigh: LONGEST_PAUSE_MS });
  const connection = connect();
  let lastFault: unknown;
  const reportConnection = (error: unknown) => {
    lastFault = error;
    report({ kind: "connection", error });
  };
  connection.on("error", reportConnection);
  const setbacks = setbacksOf(connect, queues, report);
  const handle = messageHandler({ on, otherwise, seen });

  const take = async (message: AsyncMessage) => {
    const outcome = await handle(textOf(message.body));
    if (outcome.kind !== "done") await setbacks.take(message, outcome);
    return ConsumerStatus.ACK;
  };

  try {
    await declare(connection, exchange, queues);
    const consumer = connection.createConsumer({
      queue,
      queueOptions: queues.work,
      exchanges: [topicOf(exchange)],
      queueBindings: bind.map((routingKey) => ({ exchange, queue, routingKey })),
      qos: { prefetchCount: prefetch },
      concurrency: prefetch,
    }, take);
    await ready(consumer, reportConnection);
    let closed: Promise<void> | undefined;
    const close = async () => {
      // Once more where the connection was lost meanwhile: what runs is waited for all the same.
      await consumer.close().catch(() => consumer.close());
      await setbacks.close();
      await connection.close();
    };
    return {
      stop: async (timeoutMs = STOP_TIMEOUT_MS) => {
        await within(timeoutMs, closed ??= close());
        setbacks.abandon();
        connection.unsafeDestroy();
      },
    };
  } catch (cause) {
    connection.unsafeDestroy();
    const waited = cause instanceof AMQPError && cause.code === "TIMEOUT";
    const fault = brokerSaid(waited ? lastFault ?? cause : cause);
    const reason = waited ? `no connection within ${acquireTimeout} ms: ${fault}` : fault;
    throw new Error(`Cannot consume from ${queue}: ${reason}`, { cause });
  }
}

function assertUsable(
  { queue, prefetch = 1, retryDelaysMs = [], deliveryLimit = 1 }: ConsumeOptions,
  bind: readonly string[],
) {
  const fault = queue === ""
    ? "queue is empty"
    : bind.length === 0
    ? "bind and on are empty, so no event would come"
    : [prefetch, deliveryLimit, ...retryDelaysMs].some((number) => !Number.isInteger(number) || number < 1)
    ? "prefetch, deliveryLimit and each of retryDelaysMs are to be whole numbers from 1 on"
    : prefetch > MOST_PREFETCH
    ? `prefetch is ${prefetch}, and AMQP allows ${MOST_PREFETCH} at most`
    : undefined;
  if (fault !== undefined) throw new TypeError(`Cannot consume: ${fault}`);
}

/** The client cuts longer names without a word: other queues and bindings would be meant. */
function assertShort(names: readonly string[]) {
  const long = names.find((name) => new TextEncoder().encode(name).length > LONGEST_NAME_BYTES);
  if (long === undefined) return;
  throw new TypeError(`Cannot consume: AMQP allows names of ${LONGEST_NAME_BYTES} bytes, and this is longer: ${long}`);
}

/** The client parses what says that it is JSON, and leaves bytes otherwise, or where it is not. */
function textOf(body: unknown): unknown {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
}

/** The exchange as the service declares it. */
function topicOf(exchange: string) {
  return { exchange, type: "topic", durable: true };
}

async function declare(connection: Connection, exchange: string, { work, dead, waits }: Queues): Promise<void> {
  await connection.exchangeDeclare(topicOf(exchange));
  for (const queue of [dead, work, ...waits]) await connection.queueDeclare(queue);
}

/** A connection that is lost comes back; what the broker refuses on the channel it would refuse for ever. */
async function ready(consumer: Consumer, report: (error: unknown) => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    consumer.on("ready", resolve);
    consumer.on("error", (error) => {
      report(error);
      if (isRefusal(error)) reject(error);
    });
  });
}

/** The client has one kind of error for what the broker refuses, and for what the end of the connection or channel ends. */
function isRefusal(error: unknown): boolean {
  return error instanceof AMQPChannelError && !(error instanceof AMQPConnectionError) && error.code !== "CH_CLOSE";
}

/** Resolves when `work` has ended, however it did, or after `timeoutMs`. */
async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => timer = setTimeout(resolve, timeoutMs));
  await Promise.race([work.catch(() => {}), timeout]);
  clearTimeout(timer);
}

/** The client says what the broker said after the method that it answered, which before the login is `undefined`. */
function brokerSaid(error: unknown): string {
  return said(error).replace(/^undefined: /, "");
}

function print({ kind, error, messageId = "" }: Problem): void {
  // deno-lint-ignore no-console -- what nobody listens to is to be seen; onProblem takes it elsewhere
  console.error(["inlet consumer:", kind, messageId, brokerSaid(error)].filter((word) => word !== "").join(" "));
}
