import type { AsyncMessage, Connection, Envelope, Publisher } from "rabbitmq-client";
import type { Problem } from "./options.ts";
import type { DeclaredQueue, Queues } from "./queues.ts";
import type { Outcome } from "./handle.ts";

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
}

/**
 * Sends failed messages on as they are, with headers that say how often they were tried (`x-inlet-attempt`), why that
 * failed (`x-inlet-error`) and what key they came with (`x-inlet-routing-key`).
 */
export function setbacksOf(connection: Connection, queues: Queues, report: (problem: Problem) => void): Setbacks {
  const publisher: Publisher = connection.createPublisher({ confirm: true, maxAttempts: 2 });

  // Declared each time: the broker confirms what has no queue, and somebody may have deleted it.
  const put = async (queue: DeclaredQueue, envelope: Envelope, body: unknown) => {
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
          [ERROR]: String(error instanceof Error ? error.message : error).slice(0, LONGEST_ERROR),
        },
      };
      await put(wait ?? queues.dead, envelope, body);
      report({ kind: wait === undefined ? "dead" : "retry", error, messageId });
    },
    close: () => publisher.close(),
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
