/** A queue as it is declared. */
export interface DeclaredQueue {
  readonly queue: string;
  readonly durable: true;
  readonly arguments: Readonly<Record<string, string | number>>;
}

/** All the queues of one consumer. */
export interface Queues {
  /** What is consumed. */
  readonly work: DeclaredQueue;
  /** What no further try is made for. */
  readonly dead: DeclaredQueue;
  /** Where the message waits before its n-th further try, counted from 0; it comes back by its time to live. */
  readonly waits: readonly DeclaredQueue[];
}

/** What the queues are made of. */
export interface QueueOptions {
  readonly queue: string;
  readonly queueType: "quorum" | "classic";
  readonly retryDelaysMs: readonly number[];
  readonly deliveryLimit: number;
}

/**
 * The queues that a consumer needs, all durable: its own, `<queue>.dead`, and `<queue>.retry.<ms>` for each delay. A delay
 * is the time to live of its queue, from which RabbitMQ dead-letters back to the consumer's own: no plugin is needed.
 * Quorum queues pass on dead letters at least once, so that a broker that dies loses none (RabbitMQ 3.10,
 * https://www.rabbitmq.com/docs/quorum-queues#dead-lettering).
 */
export function queuesOf({ queue, queueType, retryDelaysMs, deliveryLimit }: QueueOptions): Queues {
  const kind = { "x-queue-type": queueType };
  const quorum = queueType === "quorum";
  const lettersTo = (name: string) => ({
    ...kind,
    "x-dead-letter-exchange": "",
    "x-dead-letter-routing-key": name,
    ...quorum ? { "x-dead-letter-strategy": "at-least-once", "x-overflow": "reject-publish" } : {},
  });
  const dead = `${queue}.dead`;
  const limit = quorum ? { "x-delivery-limit": deliveryLimit } : {};
  return {
    work: { queue, durable: true, arguments: { ...lettersTo(dead), ...limit } },
    dead: { queue: dead, durable: true, arguments: kind },
    waits: retryDelaysMs.map((delayMs) => ({
      queue: `${queue}.retry.${delayMs}`,
      durable: true,
      arguments: { ...lettersTo(queue), "x-message-ttl": delayMs },
    })),
  };
}
