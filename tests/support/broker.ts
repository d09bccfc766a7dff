import { Connection, type Consumer } from "rabbitmq-client";
import { z } from "zod";

/**
 * The RabbitMQ of this test run.
 *
 * @throws {Error} if the tests were not started by the test task, which provides one
 */
export function testAmqpUrl(): string {
  const url = Deno.env.get("TEST_AMQP_URL");
  if (url) return url;
  throw new Error(
    "Cannot test: TEST_AMQP_URL is not set. Run the tests with `deno task test`, which provides a broker",
  );
}

/** How often a consumer tries to consume before that is taken to be impossible. */
const MOST_FAILURES = 5;

/** A name that no other test uses. */
export function uniqueExchange(): string {
  return `inlet.test.${crypto.randomUUID()}`;
}

/** A message as a foreign consumer gets it. */
export interface ReceivedMessage {
  readonly routingKey: string;
  /** The body as the broker carries it. */
  readonly text: string;
  readonly properties: z.output<typeof propertiesSchema>;
}

const propertiesSchema = z.object({
  messageId: z.string(),
  type: z.string(),
  timestamp: z.number().optional(),
  contentType: z.string(),
  appId: z.string(),
  durable: z.boolean(),
  headers: z.record(z.string(), z.unknown()),
});

/** What consumes from the exchange in tests: another client library than the service's own, so nothing is agreed on. */
export class ForeignConsumer implements AsyncDisposable {
  readonly messages: ReceivedMessage[] = [];
  readonly #connection: Connection;
  /** The exchange that it is bound to. */
  readonly exchange: string;
  #consumer: Consumer | undefined;
  #arrived: () => void = () => {};

  private constructor(url: string, exchange: string) {
    this.#connection = new Connection(url);
    this.#connection.on("error", () => {});
    this.exchange = exchange;
  }

  /** Binds a durable queue to a topic exchange, which it declares as a consumer would, and consumes. */
  static async bind(
    url: string,
    exchange: string,
    pattern = "#",
    queueType: "quorum" | "classic" = "quorum",
  ): Promise<ForeignConsumer> {
    const foreign = new ForeignConsumer(url, exchange);
    const queue = `${exchange}.consumer`;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    foreign.#consumer = foreign.#connection.createConsumer({
      queue,
      queueOptions: { durable: true, arguments: { "x-queue-type": queueType } },
      exchanges: [{ exchange, type: "topic", durable: true }],
      queueBindings: [{ exchange, routingKey: pattern }],
      qos: { prefetchCount: 100 },
    }, ({ body, routingKey, ...properties }) => {
      foreign.messages.push({ routingKey, text: textOf(body), properties: propertiesSchema.parse(properties) });
      foreign.#arrived();
    });
    // It tries again by itself: a broker that is busy may not have a queue's leader in time.
    let failures = 0;
    foreign.#consumer.on("error", (error) => ++failures === MOST_FAILURES && reject(error));
    foreign.#consumer.on("ready", resolve);
    await promise;
    return foreign;
  }

  /** Resolves when `count` messages have come. */
  async until(count: number): Promise<readonly ReceivedMessage[]> {
    while (this.messages.length < count) await new Promise<void>((resolve) => this.#arrived = resolve);
    return this.messages;
  }

  /** Resolves when `count` different messages have come; gives each as it came first. A repeat has the same id. */
  async untilDifferent(count: number): Promise<readonly ReceivedMessage[]> {
    for (;;) {
      const ids = new Set<string>();
      const different = this.messages.filter(({ properties: { messageId } }) => {
        return !ids.has(messageId) && ids.add(messageId);
      });
      if (different.length >= count) return different;
      await this.until(this.messages.length + 1);
    }
  }

  /** Deletes the exchange, as somebody might do in operation. */
  async deleteExchange(): Promise<void> {
    await this.#connection.exchangeDelete({ exchange: this.exchange });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#consumer?.close();
    await this.#connection.queueDelete({ queue: `${this.exchange}.consumer` });
    await removeExchange(this.#connection, this.exchange);
    await this.#connection.close();
  }
}

/** A queue that takes nothing: what is bound for it is refused, until it is made to take it. */
export class FullQueue implements AsyncDisposable {
  readonly #connection: Connection;

  private constructor(url: string, private readonly exchange: string, private readonly pattern: string) {
    this.#connection = new Connection(url);
    this.#connection.on("error", () => {});
  }

  /** Declares it and binds it. */
  static async bind(url: string, exchange: string, pattern: string): Promise<FullQueue> {
    const full = new FullQueue(url, exchange, pattern);
    await full.#connection.queueDeclare({
      queue: `${exchange}.full`,
      arguments: { "x-max-length": 0, "x-overflow": "reject-publish" },
    });
    await full.#connection.queueBind({ exchange, queue: `${exchange}.full`, routingKey: pattern });
    return full;
  }

  /** From now on nothing is refused. */
  async unbind(): Promise<void> {
    const { exchange, pattern } = this;
    await this.#connection.queueUnbind({ exchange, queue: `${exchange}.full`, routingKey: pattern });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.queueDelete({ queue: `${this.exchange}.full` });
    await removeExchange(this.#connection, this.exchange);
    await this.#connection.close();
  }
}

/**
 * A quorum queue that takes no more than some messages. A channel that it once refused something refuses by itself until
 * there is room for a fifth of them, though the queue takes what comes through another channel.
 */
export class NearlyFullQueue implements AsyncDisposable {
  readonly #connection: Connection;
  readonly #queue: string;

  private constructor(url: string, private readonly exchange: string, private readonly length: number) {
    this.#connection = new Connection(url);
    this.#connection.on("error", () => {});
    this.#queue = `${exchange}.nearly-full`;
  }

  /** Declares it and binds it to everything. */
  static async bind(url: string, exchange: string, length: number): Promise<NearlyFullQueue> {
    const nearlyFull = new NearlyFullQueue(url, exchange, length);
    await nearlyFull.#connection.queueDeclare({
      queue: nearlyFull.#queue,
      durable: true,
      arguments: { "x-queue-type": "quorum", "x-max-length": length, "x-overflow": "reject-publish" },
    });
    await nearlyFull.#connection.queueBind({ exchange, queue: nearlyFull.#queue, routingKey: "#" });
    return nearlyFull;
  }

  /** Takes messages out until there is room for one. */
  async makeRoom(): Promise<void> {
    const left = async () => (await this.#connection.basicGet({ queue: this.#queue, noAck: true }))?.messageCount ?? 0;
    while (await left() > this.length) continue;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.queueDelete({ queue: this.#queue });
    await removeExchange(this.#connection, this.exchange);
    await this.#connection.close();
  }
}

/** Leaves nothing of an exchange on a broker that may be anybody's. */
export async function cleanUp(url: string, exchange: string): Promise<void> {
  const connection = new Connection(url);
  await removeExchange(connection, exchange);
  await connection.close();
}

/** Deletes the exchange by which processes tell each other of events. */
export async function removeLiveExchange(url: string, exchange: string): Promise<void> {
  const connection = new Connection(url);
  await connection.exchangeDelete({ exchange: `${exchange}.live` });
  await connection.close();
}

/** Declares the queue that a {@link ForeignConsumer} takes, at a node of a cluster: that one leads it. */
export async function declareQuorumQueue(url: string, exchange: string): Promise<void> {
  const connection = new Connection(url);
  await connection.queueDeclare({
    queue: `${exchange}.consumer`,
    durable: true,
    arguments: { "x-queue-type": "quorum" },
  });
  await connection.close();
}

/** Declares an exchange of a type that the service does not expect. */
export async function declareDirectExchange(url: string, exchange: string): Promise<void> {
  const connection = new Connection(url);
  await connection.exchangeDeclare({ exchange, type: "direct", durable: false });
  await connection.close();
}

async function removeExchange(connection: Connection, exchange: string): Promise<void> {
  await connection.exchangeDelete({ exchange });
  await connection.exchangeDelete({ exchange: `${exchange}.live` });
}

/** The client parses JSON bodies by their content type; the text is what the test wants to see. */
function textOf(body: unknown): string {
  // The client parses what is plain JSON, and hands on the bytes of what it does not know.
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  return typeof body === "string" ? body : JSON.stringify(body);
}
