import type { AsyncMessage, Connection, Envelope, Publisher } from "rabbitmq-client";
import type { Problem } from "./options.ts";
import type { DeclaredQueue, Queues } from "./queues.ts";
import type { Outcome } from "./handle.ts";
import { said } from "./said.ts";

const ATTEMPT = "x-inlet-attempt";
const ERROR = "x-inlet-error";
const ROUTING_KEY = "x-inlet-routing-key";
const LONGEST_ERROR = 500;

/** Where messages go that could not be handled. */
export interface Setbacks {
  /**
   * Puts a message where it waits for its next try, or with the dead letters, and resolves when the broker has confirmed
   * it: then it may be acknowledged.
   *
   * @throws {Error} if the broker does not confirm
   */
  take(message: AsyncMessage, outcome: Exclude<Outcome, { kind: "done" }>): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
  /** Gives up what is under way, and takes nothing more. */
  abandon(): void;
}

/**
 * Sends failed messages on as they are, with headers that say how often they were tried (`x-inlet-attempt`), why that
 * failed (`x-inlet-error`) and what key they came with (`x-inlet-routing-key`). The first opens a connection for them: a
 * broker that is short of memory or disk reads nothing more from one that publishes, and so no acknowledgements
 * (https://www.rabbitmq.com/docs/alarms).
 */
export function setbacksOf(connect: () => Connection, queues: Queues, report: (problem: Problem) => void): Setbacks {
  let abandoned = false;
  let open: { readonly connection: Connection; readonly publisher: Publisher } | undefined;

  const opened = () => {
    if (abandoned) throw new Error("Cannot put the message where it belongs: the consumer was stopped before");
    if (open === undefined) {
      const connection = connect();
      // Who puts a message is told; that the broker is away, the consumer's own connection says.
      connection.on("error", () => {});
      open = { connection, publisher: connection.createPublisher({ confirm: true, maxAttempts: 2 }) };
    }
    return open;
  };

  // Declared each time: the broker confirms what has no queue, and somebody may have deleted it.
  const put = async (queue: DeclaredQueue, envelope: Envelope, body: unknown) => {
    const { connection, publisher } = opened();
    await connection.queueDeclare(queue);
    await publisher.send({ ...envelope, exchange: "", routingKey: queue.queue }, body);
  };

  return {
    async take(message, { kind, error }) {
      const { body, messageId, headers, routingKey } = message;
      const tries = attemptsOf(message) + 1;
      const wait = kind === "failed" ? queues.waits[tries - 1] : undefined;
      const envelope = {
        ...propertiesOf(message),
        headers: {
          [ROUTING_KEY]: routingKey,
          ...headers,
          [ATTEMPT]: tries,
          [ERROR]: said(error).slice(0, LONGEST_ERROR),
        },
      };
      await put(wait ?? queues.dead, envelope, body);
      report({ kind: wait === undefined ? "dead" : "retry", error, messageId });
    },
    async close() {
      await open?.publisher.close();
      await open?.connection.close();
    },
    abandon() {
      abandoned = true;
      open?.connection.unsafeDestroy();
    },
  };
}

function attemptsOf({ headers }: AsyncMessage): number {
  const tries: unknown = headers?.[ATTEMPT];
  return typeof tries === "number" && Number.isInteger(tries) && tries > 0 ? tries : 0;
}

function propertiesOf(
  { messageId, type, timestamp, appId, contentType, contentEncoding, correlationId }: AsyncMessage,
): Envelope {
  const given = { messageId, type, timestamp, appId, contentType, contentEncoding, correlationId };
  return { durable: true, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}
