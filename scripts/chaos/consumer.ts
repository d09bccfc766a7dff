import { Connection, type Consumer } from "rabbitmq-client";
import { z } from "zod";
import type { Ledger } from "./ledger.ts";

const bodySchema = z.object({ subject: z.object({ name: z.string() }) });
const messageSchema = z.object({ messageId: z.string(), redelivered: z.boolean() });

/**
 * The kind of the queue that is consumed from. A quorum queue of RabbitMQ 3.10 that is killed within seconds of its
 * declaration can come back with an empty log and no leader for ever, whatever its publishers do.
 */
export type QueueType = "quorum" | "classic";

/** How long nothing may come, of what is to come, before another connection is tried. */
const SILENCE_MS = 10_000;

/**
 * Consumes everything from a durable queue into a ledger, with another client library than the service's own. It
 * connects again whatever happens to the broker.
 */
export class LedgerConsumer implements AsyncDisposable {
  #connection: Connection | undefined;
  #consumer: Consumer | undefined;
  #heard = 0;

  private constructor(
    private readonly url: string,
    private readonly exchange: string,
    private readonly queueType: QueueType,
    private readonly ledger: Ledger,
  ) {}

  /** Declares the exchange and a queue for all of it, as a consumer would, and consumes. */
  static async bind(
    url: string,
    exchange: string,
    { queueType, ledger }: { queueType: QueueType; ledger: Ledger },
  ): Promise<LedgerConsumer> {
    const consumer = new LedgerConsumer(url, exchange, queueType, ledger);
    await consumer.open();
    return consumer;
  }

  /** The queue's name. */
  get queue(): string {
    return `${this.exchange}.ledger`;
  }

  /** Consumes again after {@link close}; resolves when it does. */
  open(): Promise<void> {
    const { exchange } = this;
    const connection = new Connection({ url: this.url, retryHigh: 1000 });
    this.#connection = connection;
    connection.on("error", () => {});
    const consumer = connection.createConsumer({
      queue: this.queue,
      queueOptions: { durable: true, arguments: { "x-queue-type": this.queueType } },
      exchanges: [{ exchange, type: "topic", durable: true }],
      queueBindings: [{ exchange, routingKey: "#" }],
      qos: { prefetchCount: 200 },
    }, ({ body, ...properties }) => {
      if (this.#consumer !== consumer) throw new Error("Cannot take the message: another connection consumes");
      const { subject } = bodySchema.parse(body);
      this.ledger.receive({ name: subject.name, ...messageSchema.parse(properties) });
      this.#heard = performance.now();
    });
    this.#consumer = consumer;
    this.#heard = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    consumer.on("error", () => {});
    consumer.on("ready", resolve);
    return promise;
  }

  /** How many messages the queue holds that were given to nobody. */
  async waiting(): Promise<number> {
    const connection = new Connection(this.url);
    connection.on("error", () => {});
    const { messageCount } = await connection.queueDeclare({ queue: this.queue, passive: true });
    await connection.close();
    return messageCount;
  }

  /** Stops consuming; the queue keeps what comes. */
  async close(): Promise<void> {
    const [consumer, connection] = [this.#consumer, this.#connection];
    this.#consumer = undefined;
    this.#connection = undefined;
    await consumer?.close();
    await connection?.close();
  }

  /**
   * Tries another connection when nothing came for a while: RabbitMQ 3.10 can leave a channel hanging that uses a
   * quorum queue right after a crash. What was given out on the old one comes again.
   */
  keepGoing(): void {
    if (this.ledger.outstanding === 0 || performance.now() - this.#heard < SILENCE_MS) return;
    this.#connection?.unsafeDestroy();
    this.open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const connection = this.#connection;
    await this.#consumer?.close();
    await connection?.queueDelete({ queue: this.queue });
    for (const name of [this.exchange, `${this.exchange}.live`]) await connection?.exchangeDelete({ exchange: name });
    await connection?.close();
  }
}
