import { type NormalizedEvent, normalizedEventSchema } from "@inlet/events-core";
import { getLogger } from "@logtape/logtape";
import type { Channel, ChannelModel, ConsumeMessage } from "amqplib";
import { Buffer } from "node:buffer";
import { z } from "zod";
import type { SerializedEvent } from "../deps.ts";

type Listener = (events: readonly SerializedEvent[]) => void;

/** Events of this long go to the other processes as one message: a few messages a second, whatever the load. */
const TICK_MS = 10;
/** A message is sent before the tick when it would grow beyond this. */
const BATCH_CHARACTERS = 1_000_000;
/** What the broker keeps for a process that does not keep up; the oldest goes first. */
const QUEUE_BYTES = 64 * 1024 * 1024;

const batchSchema = z.array(normalizedEventSchema);
const log = getLogger(["inlet", "broker", "live"]);

/**
 * Tells the processes on one broker of each other's events, for their live streams.
 *
 * It has a fanout exchange of its own, to which each process binds an exclusive queue while somebody listens. Bound to
 * the events' own exchange, that queue would take every message, and the broker could no longer tell that no consumer
 * is bound for one (`mandatory`). Listeners here get this process's events directly.
 */
export class LiveRelay {
  readonly #process = crypto.randomUUID();
  readonly #listeners = new Set<{ readonly listener: Listener }>();
  #channel: Channel | undefined;
  #consumer: Promise<string> | undefined;
  #batch: string[] = [];
  #batchCharacters = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly exchange: string) {}

  /** Takes up a new connection, and the listening that was under way on the last. */
  async attach(model: ChannelModel): Promise<void> {
    const channel = await model.createChannel();
    channel.on("error", (error) => log.warning("live channel closed: {reason}", { reason: error.message }));
    channel.on("close", () => {
      if (this.#channel === channel) this.#channel = this.#consumer = undefined;
    });
    await channel.assertExchange(this.exchange, "fanout", { durable: false, autoDelete: false });
    this.#channel = channel;
    this.#consumer = undefined;
    if (this.#listeners.size > 0) await this.#listen();
  }

  /** Gives confirmed events to the listeners here, and to the other processes within {@link TICK_MS}. */
  publish(events: readonly SerializedEvent[]): void {
    for (const { listener } of this.#listeners) listener(events);
    for (const { json } of events) {
      this.#batch.push(json);
      this.#batchCharacters += json.length;
    }
    if (this.#batchCharacters >= BATCH_CHARACTERS) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), TICK_MS);
  }

  /** Resolves when the broker has bound this process's queue; while there is no connection, at once. */
  async subscribe(listener: Listener): Promise<() => void> {
    const subscription = { listener };
    this.#listeners.add(subscription);
    await this.#listen().catch((error) => log.warning("cannot listen: {reason}", { reason: String(error) }));
    return () => {
      this.#listeners.delete(subscription);
      if (this.#listeners.size === 0) this.#stopListening();
    };
  }

  async close(): Promise<void> {
    this.#flush();
    this.#listeners.clear();
    await this.#channel?.close().catch(() => {});
  }

  async #listen(): Promise<void> {
    const channel = this.#channel;
    if (channel === undefined) return;
    this.#consumer ??= this.#consume(channel);
    await this.#consumer;
  }

  async #consume(channel: Channel): Promise<string> {
    const arguments_ = { "x-max-length-bytes": QUEUE_BYTES, "x-overflow": "drop-head" };
    const { queue } = await channel.assertQueue("", { exclusive: true, autoDelete: true, arguments: arguments_ });
    await channel.bindQueue(queue, this.exchange, "");
    const { consumerTag } = await channel.consume(queue, (message) => this.#receive(message), { noAck: true });
    return consumerTag;
  }

  /** The queue deletes itself with its last consumer. */
  #stopListening(): void {
    const channel = this.#channel;
    const consumer = this.#consumer;
    this.#consumer = undefined;
    if (channel === undefined) return;
    consumer?.then((consumerTag) => channel.cancel(consumerTag)).catch(() => {});
  }

  #receive(message: ConsumeMessage | null): void {
    if (message === null || message.properties.headers?.process === this.#process) return;
    const batch = readBatch(message.content);
    if (batch === undefined) {
      log.warning("a message on {exchange} is not of this program's format: ignored", { exchange: this.exchange });
      return;
    }
    const events = batch.map((event) => ({ event, json: JSON.stringify(event) }));
    for (const { listener } of this.#listeners) listener(events);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#batch;
    this.#batch = [];
    this.#batchCharacters = 0;
    if (batch.length === 0) return;
    try {
      const headers = { process: this.#process };
      this.#channel?.publish(this.exchange, "", Buffer.from(`[${batch.join(",")}]`), { headers });
    } catch (error) {
      // The events themselves are confirmed; only other processes' streams miss them.
      log.warning("cannot tell other processes of events: {reason}", { reason: String(error) });
    }
  }
}

function readBatch(content: Buffer): NormalizedEvent[] | undefined {
  try {
    return batchSchema.parse(JSON.parse(content.toString()));
  } catch {
    return undefined;
  }
}
