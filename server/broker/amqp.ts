import { getLogger } from "@logtape/logtape";
import amqplib, { type ChannelModel, type ConfirmChannel, type Options, type RecoveringChannelModel } from "amqplib";
import { Buffer } from "node:buffer";
import type { Confirmation, Exchange, Health, SerializedEvent } from "../deps.ts";
import { BrokerUnavailableError, EventTooLargeError } from "../errors.ts";
import { explainConnectionError } from "./explain.ts";
import { LiveRelay } from "./live_relay.ts";
import { settledWithin, within } from "./timeouts.ts";

/** How to reach the broker and what to publish to. */
export interface AmqpOptions {
  /** `amqp://` or `amqps://`, with credentials; see https://www.rabbitmq.com/docs/uri-spec. */
  readonly url: string;
  /** Name of the durable topic exchange; declared if it is not there. */
  readonly exchange: string;
  /** Template with `{type}`, `{source}` and `{workspaceId}`. */
  readonly routingKey: string;
  /** How long a publish waits for the broker's confirm. */
  readonly publishTimeoutMs: number;
  /** The broker's `max_message_size`. */
  readonly maxMessageBytes: number;
}

/** Notices a broker that is gone without a word (a cut cable) within two of these. */
const HEARTBEAT_SECONDS = 15;
const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2000;
/** How long a start waits for a broker that does not answer. */
const FIRST_TRY_MS = 2000;
const RECONNECT = { initialDelay: 200, maxDelay: 2000, factor: 2, jitter: 0.2 };

const log = getLogger(["inlet", "broker"]);

/**
 * Connects to RabbitMQ and gives the exchange after the first try, {@link FIRST_TRY_MS} at most, however that ends: while
 * there is no connection, {@link Exchange.publish} refuses and the connection is tried again, for ever. Every publish is persistent, confirmed and `mandatory`
 * (https://www.rabbitmq.com/docs/confirms); nothing the broker does ends the process.
 */
export async function connectAmqpExchange(options: AmqpOptions): Promise<Exchange> {
  const exchange = new AmqpExchange(options);
  await exchange.connect();
  return exchange;
}

class AmqpExchange implements Exchange {
  readonly #options: AmqpOptions;
  readonly #relay: LiveRelay;
  /** Ids of messages that came back as unroutable; each return precedes the confirm of its message. */
  readonly #returned = new Set<string>();
  readonly #underWay = new Set<Promise<unknown>>();
  #connection: RecoveringChannelModel | undefined;
  #channel: ConfirmChannel | undefined;
  #problem = "connecting to the broker";
  #blocked: string | undefined;
  #unrouted = 0;

  constructor(options: AmqpOptions) {
    this.#options = options;
    this.#relay = new LiveRelay(`${options.exchange}.live`);
  }

  async connect(): Promise<void> {
    const connection = await amqplib.connect(withHeartbeat(this.#options.url), {
      timeout: CONNECT_TIMEOUT_MS,
      clientProperties: { product: "inlet" },
      recovery: { ...RECONNECT, waitForConnect: false, setup: (model: ChannelModel) => this.#setUp(model) },
    });
    connection.on("connect", () => log.info("connected to the broker, exchange {exchange}", this.#names()));
    connection.on("connect-failed", (error) => this.#down(error));
    connection.on("disconnect", (error) => this.#down(error));
    // Without a listener, an error event would end the process; what follows from it comes as "disconnect".
    connection.on("error", () => {});
    connection.on("blocked", (reason) => {
      this.#blocked = `the broker takes no messages: ${reason}`;
      log.warning("the broker takes no messages: {reason}", { reason });
    });
    connection.on("unblocked", () => {
      this.#blocked = undefined;
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
    if (events.length === 0) return { published: 0, unrouted: 0 };
    for (const event of events) this.#refuseTooLarge(event);
    if (this.#blocked !== undefined) throw new BrokerUnavailableError(`Cannot publish: ${this.#blocked}`);
    const channel = this.#channel;
    if (channel === undefined) throw new BrokerUnavailableError(`Cannot publish: ${this.#problem}`);
    const confirmed = Promise.all(events.map((event) => this.#publishOne(channel, event)));
    this.#underWay.add(confirmed);
    try {
      const routed = await within(this.#options.publishTimeoutMs, confirmed, () => this.#late());
      const unrouted = routed.filter((wasRouted) => !wasRouted).length;
      this.#unrouted += unrouted;
      this.#relay.publish(events);
      return { published: events.length, unrouted };
    } finally {
      this.#underWay.delete(confirmed);
    }
  }

  async subscribe(listener: (events: readonly SerializedEvent[]) => void): Promise<() => void> {
    return await this.#relay.subscribe(listener);
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
    await Promise.allSettled(this.#underWay);
    this.#relay.close();
    this.#channel = undefined;
    this.#problem = "disconnected";
    // A broker under an alarm reads nothing, not even a farewell.
    if (this.#connection !== undefined) await settledWithin(CLOSE_TIMEOUT_MS, this.#connection.close());
  }

  async #setUp(model: ChannelModel): Promise<void> {
    const channel = await model.createConfirmChannel();
    let failure: Error | undefined;
    channel.on("error", (error) => failure = error);
    channel.on("return", ({ properties }) => this.#returned.add(String(properties.messageId)));
    channel.on("close", () => {
      if (this.#channel !== channel) return;
      this.#channel = undefined;
      this.#problem = `the broker closed the channel${failure ? `: ${failure.message}` : ""}`;
      // The connection recovers as a whole, with its pauses; a channel on its own would be reopened in a tight loop.
      model.close().catch(() => {});
    });
    await channel.assertExchange(this.#options.exchange, "topic", { durable: true });
    this.#relay.attach(model);
    this.#returned.clear();
    this.#blocked = undefined;
    this.#channel = channel;
  }

  /** Resolves with whether any queue was bound for the event. */
  #publishOne(channel: ConfirmChannel, { event, json }: SerializedEvent): Promise<boolean> {
    const { exchange, routingKey } = this.#options;
    const properties: Options.Publish = {
      persistent: true,
      mandatory: true,
      messageId: event.id,
      type: event.type,
      timestamp: Math.floor(Date.parse(event.occurredAt) / 1000),
      contentType: "application/json",
      appId: "inlet",
      headers: { "workspace-id": event.workspaceId },
    };
    const key = routingKey.replaceAll("{type}", event.type).replaceAll("{source}", event.source)
      .replaceAll("{workspaceId}", event.workspaceId);
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    try {
      channel.publish(exchange, key, Buffer.from(json), properties, (error: unknown) => {
        if (error) reject(unconfirmed(error));
        else resolve(!this.#returned.delete(event.id));
      });
    } catch (error) {
      reject(unconfirmed(error));
    }
    return promise;
  }

  /** The broker would close the channel over it, and every other publish under way with it. */
  #refuseTooLarge({ event, json }: SerializedEvent): void {
    const { maxMessageBytes } = this.#options;
    // A character is three bytes at most: few events need to be counted.
    if (json.length * 3 <= maxMessageBytes || Buffer.byteLength(json) <= maxMessageBytes) return;
    throw new EventTooLargeError(
      `Cannot publish: a ${event.type} event is larger than the broker takes, ${maxMessageBytes} bytes (MAX_MESSAGE_BYTES)`,
    );
  }

  #late(): BrokerUnavailableError {
    return new BrokerUnavailableError(
      `Cannot publish: the broker did not confirm within ${this.#options.publishTimeoutMs} ms`,
    );
  }

  #down(error: Error): void {
    this.#channel = undefined;
    this.#relay.detach();
    const reason = explainConnectionError(error);
    this.#problem = `no connection to the broker: ${reason}`;
    log.warning("no connection to {host} (AMQP_URL): {reason}. Deliveries are answered with 503; trying again", {
      host: new URL(this.#options.url).host,
      reason,
    });
  }

  #names(): { exchange: string } {
    return { exchange: this.#options.exchange };
  }
}

function unconfirmed(error: unknown): BrokerUnavailableError {
  const reason = error instanceof Error ? error.message : "the broker refused the message";
  return new BrokerUnavailableError(`Cannot publish: ${reason}`, { cause: error });
}

function withHeartbeat(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has("heartbeat")) parsed.searchParams.set("heartbeat", String(HEARTBEAT_SECONDS));
  return parsed.href;
}
