import { getLogger } from "@logtape/logtape";
import amqplib, { type ChannelModel, type ConfirmChannel, type RecoveringChannelModel } from "amqplib";
import type { Broker, Confirmation, Health, Live, SerializedEvent } from "../deps.ts";
import { BrokerUnavailableError } from "../errors.ts";
import { briefConnectionError, explainConnectionError } from "./explain.ts";
import { LiveRelay } from "./live_relay.ts";
import { BrokerNodes } from "./nodes.ts";
import { messageFor, type MessageOptions, refuseTooLarge } from "./message.ts";
import { part } from "./part.ts";
import { messageOf, type Refusal, refusalOf, unconfirmed } from "./refusal.ts";
import { settledWithin, within } from "../timeouts.ts";
import { UnderWay } from "./under_way.ts";

/** How to reach the broker and what to publish to. */
export interface AmqpOptions extends MessageOptions {
  /**
   * `amqp://` or `amqps://`, with credentials; see https://www.rabbitmq.com/docs/uri-spec. With commas between several, they
   * are nodes of one cluster: the next is tried when one is gone.
   */
  readonly url: string;
  /** Name of the durable topic exchange; declared if it is not there. */
  readonly exchange: string;
  /** Left out, those of the service. */
  readonly timeouts?: AmqpTimeouts;
}

/** How long to wait for the broker, in milliseconds. */
export interface AmqpTimeouts {
  /** Until it is connected to, and then until the connection is set up. */
  readonly connectMs: number;
  readonly closeMs: number;
  /** While it confirms nothing of what it was sent; then another connection is tried. */
  readonly stallMs: number;
}

/** RabbitMQ 3.10 can leave a channel hanging for good that is opened right after a crash. */
const TIMEOUTS: AmqpTimeouts = { connectMs: 10_000, closeMs: 2000, stallMs: 15_000 };
/** How long a start waits for a broker that does not answer. */
const FIRST_TRY_MS = 2000;
/** How long until another channel is asked again about what one refused: after it refused too, and after it did not. */
const ASK_ANOTHER_MS = { refused: 1000, otherwise: 60_000 };
const RECONNECT = { initialDelay: 200, maxDelay: 2000, factor: 2, jitter: 0.2 };

const log = getLogger(["inlet", "broker"]);

/**
 * Connects to RabbitMQ and gives the exchange after the first try, {@link FIRST_TRY_MS} at most, however that ends: while
 * there is no connection, {@link Exchange.publish} refuses and the connection is tried again, for ever. Every publish is persistent, confirmed and `mandatory`
 * (https://www.rabbitmq.com/docs/confirms); nothing the broker does ends the process.
 */
export async function connectAmqpExchange(options: AmqpOptions): Promise<Broker> {
  const exchange = new AmqpExchange(options);
  await exchange.connect();
  return exchange;
}

class AmqpExchange implements Broker {
  readonly #options: AmqpOptions;
  readonly #timeouts: AmqpTimeouts;
  readonly #relay: LiveRelay;
  readonly #nodes: BrokerNodes;
  /** Ids of messages that came back as unroutable; each return precedes the confirm of its message. */
  readonly #returned = new Set<string>();
  readonly #underWay: UnderWay;
  readonly #listeners: (() => void)[] = [];
  /** Why the broker closed a channel. */
  readonly #closures = new WeakMap<ConfirmChannel, Error>();
  /** Why there is no connection, as far as the log says so: each reason once, however often it is tried. */
  readonly #told = new Set<string>();
  #connection: RecoveringChannelModel | undefined;
  #model: ChannelModel | undefined;
  /** When another channel may be asked again; by `performance.now`. */
  #askAnotherAt = 0;
  #channel: ConfirmChannel | undefined;
  #problem = "connecting to the broker";
  #blocked: string | undefined;
  #unrouted = 0;

  constructor(options: AmqpOptions) {
    this.#options = options;
    this.#timeouts = options.timeouts ?? TIMEOUTS;
    this.#underWay = new UnderWay(this.#timeouts.stallMs, () => this.#stalled());
    this.#nodes = new BrokerNodes(options.url);
    this.#relay = new LiveRelay(`${options.exchange}.live`);
  }

  async connect(): Promise<void> {
    const connection = await amqplib.connect(this.#nodes.target, {
      timeout: this.#timeouts.connectMs,
      clientProperties: { product: "inlet" },
      // The system otherwise holds a message back until the broker has acknowledged the last one, up to 40 ms.
      noDelay: true,
      recovery: { ...RECONNECT, waitForConnect: false, setup: (model: ChannelModel) => this.#setUpInTime(model) },
    });
    connection.on("connect", () => {
      const { host } = this.#nodes;
      this.#told.clear();
      log.info("connected to {host}, exchange {exchange}", { host, exchange: this.#options.exchange });
    });
    connection.on("connect-failed", (error) => this.#down(error));
    connection.on("disconnect", (error) => this.#down(error));
    // Without a listener, an error event would end the process; what follows from it comes as "disconnect".
    connection.on("error", () => {});
    connection.on("blocked", (reason) => {
      this.#blocked = `the broker takes no messages: ${reason}`;
      this.#changed();
      log.warning("the broker takes no messages: {reason}", { reason });
    });
    connection.on("unblocked", () => {
      this.#blocked = undefined;
      this.#changed();
      log.info("the broker takes messages again");
    });
    this.#connection = connection;
    const { promise: tried, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, FIRST_TRY_MS);
    connection.once("connect", resolve);
    connection.once("connect-failed", resolve);
    await tried;
    clearTimeout(timer);
  }

  async publish(events: readonly SerializedEvent[]): Promise<Confirmation> {
    if (events.length === 0) return { published: 0, unrouted: 0, queued: 0 };
    this.refuseTooLarge(events);
    if (this.#blocked !== undefined) throw new BrokerUnavailableError(`Cannot publish: ${this.#blocked}`);
    const channel = this.#channel;
    if (channel === undefined) throw new BrokerUnavailableError(`Cannot publish: ${this.#problem}`);
    const outcomes = await this.#underWay.watch(Promise.all(events.map((event) => this.#publishOne(channel, event))));
    const confirmed = events.filter((_, index) => typeof outcomes[index] === "boolean");
    const unrouted = outcomes.filter((outcome) => outcome === false).length;
    this.#unrouted += unrouted;
    const refusal = outcomes.find((outcome) => typeof outcome !== "boolean");
    if (refusal !== undefined) throw unconfirmed(refusal, confirmed);
    return { published: events.length, unrouted, queued: 0 };
  }

  refuseTooLarge(events: readonly SerializedEvent[]): void {
    refuseTooLarge(events, this.#options);
  }

  onHealth(listener: () => void): void {
    this.#listeners.push(listener);
  }

  get live(): Live {
    return this.#relay;
  }

  health(): Health {
    if (this.#channel === undefined) return { ok: false, detail: this.#problem };
    if (this.#blocked !== undefined) return { ok: false, detail: this.#blocked };
    const relay = this.#relay.problem === undefined
      ? ""
      : `; other processes' events are not heard: ${this.#relay.problem}`;
    return { ok: true, detail: `connected, exchange ${this.#options.exchange}${relay}` };
  }

  unrouted(): number {
    return this.#unrouted;
  }

  async close(): Promise<void> {
    await settledWithin(this.#timeouts.closeMs, this.#underWay.settled());
    this.#underWay.stop();
    this.#relay.close();
    this.#channel = undefined;
    this.#problem = "disconnected";
    // A broker under an alarm reads nothing, not even a farewell.
    if (this.#connection !== undefined) await settledWithin(this.#timeouts.closeMs, this.#connection.close());
  }

  /** In time: the recovery would wait for ever, and then for the answer to its goodbye. */
  async #setUpInTime(model: ChannelModel): Promise<void> {
    try {
      await within(this.#timeouts.connectMs, this.#setUp(model), () => new Error("it does not answer"));
    } catch (error) {
      part(model, this.#timeouts.closeMs);
      throw error;
    }
  }

  async #setUp(model: ChannelModel): Promise<void> {
    // The recovery listens only when this is done: a connection that is lost before would end the process.
    model.on("error", () => {});
    const channel = await this.#open(model);
    channel.on("close", () => {
      if (this.#channel !== channel) return;
      // The connection recovers as a whole, with its pauses; a channel on its own would be reopened in a tight loop.
      const failure = this.#closures.get(channel);
      if (failure !== undefined) this.#renew(`the broker closed the channel: ${failure.message}`);
      else this.#leave("the connection to the broker is lost");
    });
    await channel.assertExchange(this.#options.exchange, "topic", { durable: true });
    this.#relay.attach(model);
    this.#returned.clear();
    this.#blocked = undefined;
    this.#model = model;
    this.#channel = channel;
    this.#changed();
  }

  async #open(model: ChannelModel): Promise<ConfirmChannel> {
    const channel = await model.createConfirmChannel();
    channel.on("error", (error) => this.#closures.set(channel, error));
    channel.on("return", ({ properties }) => this.#returned.add(String(properties.messageId)));
    return channel;
  }

  /** Resolves with whether any queue was bound for the event, or with why it is not confirmed. */
  #publishOne(channel: ConfirmChannel, event: SerializedEvent): Promise<boolean | Refusal> {
    const { exchange } = this.#options;
    const { routingKey, body, properties } = messageFor(event, this.#options);
    const { promise, resolve } = Promise.withResolvers<boolean | Refusal>();
    try {
      channel.publish(exchange, routingKey, body, properties, (error: unknown) => {
        if (!error) return resolve(!this.#returned.delete(properties.messageId));
        resolve(this.#reconsider(channel, event, refusalOf(error, this.#closures.get(channel))));
      });
    } catch (error) {
      // What the channel says when it is closed is an "IllegalOperationError"; anything else is wrong with the message.
      const isClosed = error instanceof Error && error.name === "IllegalOperationError";
      resolve({ reason: messageOf(error), fault: isClosed ? "away" : "message" });
    }
    return promise;
  }

  /**
   * What becomes of an event that a queue refused. A channel can be wrong about that: through RabbitMQ 3.10, one that first
   * met a quorum queue while the node of its leader was down refuses for it as long as that node is. So another channel
   * is asked now and then, and when that takes the event, the connection is made anew.
   */
  async #reconsider(channel: ConfirmChannel, event: SerializedEvent, refusal: Refusal): Promise<boolean | Refusal> {
    const model = this.#model;
    const isToAsk = refusal.fault === "message" && channel === this.#channel && performance.now() >= this.#askAnotherAt;
    if (!isToAsk || model === undefined) return refusal;
    this.#askAnotherAt = performance.now() + ASK_ANOTHER_MS.otherwise;
    const asked = this.#askAnother(model, event).catch(() => refusal);
    if (!await settledWithin(this.#timeouts.closeMs, asked)) return refusal;
    const outcome = await asked;
    if (typeof outcome !== "boolean") {
      this.#askAnotherAt = performance.now() + ASK_ANOTHER_MS.refused;
      return outcome;
    }
    if (channel === this.#channel) this.#renew("the broker refuses on one channel what it takes on another");
    return outcome;
  }

  async #askAnother(model: ChannelModel, event: SerializedEvent): Promise<boolean | Refusal> {
    const channel = await this.#open(model);
    const outcome = await this.#publishOne(channel, event);
    channel.close().catch(() => {});
    return outcome;
  }

  #down(error: Error): void {
    this.#channel = undefined;
    this.#relay.detach();
    const reason = explainConnectionError(error);
    this.#problem = `no connection to the broker: ${briefConnectionError(error)}`;
    this.#changed();
    const { host } = this.#nodes;
    this.#nodes.next();
    if (this.#told.has(`${host}: ${reason}`)) return;
    this.#told.add(`${host}: ${reason}`);
    log.warning(
      "no connection to {host} (AMQP_URL): {reason}. Events are spooled meanwhile; trying again until there is one",
      { host, reason },
    );
  }

  #stalled(): void {
    // Under an alarm the broker confirms nothing, and takes up again where it stopped.
    if (this.#blocked !== undefined || this.#channel === undefined) return;
    this.#renew("the broker confirms nothing");
  }

  #renew(reason: string): void {
    log.warning("{reason}: trying another connection", { reason });
    this.#leave(`${reason}; trying another connection`);
  }

  #leave(problem: string): void {
    this.#channel = undefined;
    this.#problem = problem;
    this.#changed();
    if (this.#model !== undefined) part(this.#model, this.#timeouts.closeMs);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
