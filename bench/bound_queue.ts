import { Connection } from "rabbitmq-client";

/** A durable quorum queue that is bound for everything on an exchange. */
export class BoundQueue implements AsyncDisposable {
  readonly #connection: Connection;
  /** Name of the topic exchange. */
  readonly exchange = `inlet.bench.${crypto.randomUUID()}`;
  readonly #queue = `${this.exchange}.queue`;

  private constructor(readonly url: string) {
    this.#connection = new Connection(url);
    // It connects again by itself; what fails for good is rejected.
    this.#connection.on("error", () => {});
  }

  /** Declares and binds one, with an exchange of its own. */
  static async bind(url: string): Promise<BoundQueue> {
    const bound = new BoundQueue(url);
    const exchange = bound.exchange;
    const queue = bound.#queue;
    await bound.#connection.exchangeDeclare({ exchange, type: "topic", durable: true });
    await bound.#connection.queueDeclare({ queue, durable: true, arguments: { "x-queue-type": "quorum" } });
    await bound.#connection.queueBind({ exchange, queue, routingKey: "#" });
    return bound;
  }

  /** Settings with which the service publishes to it. */
  get env(): Record<string, string> {
    return { AMQP_URL: this.url, AMQP_EXCHANGE: this.exchange };
  }

  /** Throws away what is in the queue, and gives how many messages that were. */
  async empty(): Promise<number> {
    return (await this.#connection.queuePurge({ queue: this.#queue })).messageCount;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.queueDelete({ queue: this.#queue });
    for (const exchange of [this.exchange, `${this.exchange}.live`]) {
      await this.#connection.exchangeDelete({ exchange });
    }
    await this.#connection.close();
  }
}
