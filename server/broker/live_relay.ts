import { type NormalizedEvent, normalizedEventSchema } from "@inlet/events-core";
import { getLogger } from "@logtape/logtape";
import type { Channel, ChannelModel, ConsumeMessage } from "amqplib";
import { Buffer } from "node:buffer";
import { z } from "zod";
import type { Listener, Live, SerializedEvent } from "../deps.ts";
import { LiveListeners } from "./live_listeners.ts";
import { LiveSequences } from "./live_sequences.ts";
import { settledWithin } from "../timeouts.ts";

/** Events of this long go to the other processes as one message: a few messages a second, whatever the load. */
const TICK_MS = 10;
/** A message is sent before the tick when it would grow beyond this. */
const BATCH_CHARACTERS = 1_000_000;
/** An event larger than this is not told of: brokers refuse large messages, and close the channel over them. */
const LARGEST_EVENT_CHARACTERS = 4_000_000;
/** How long a new stream waits for the broker to bind the queue: a broker under an alarm does not answer at all. */
const LISTEN_TIMEOUT_MS = 1000;
/** How long until a channel that the broker closed is opened again. */
const REOPEN_AFTER_MS = 1000;
/** How often the queue is bound again: whoever deletes the exchange takes the binding along, and tells nobody. */
const REBIND_INTERVAL_MS = 5000;
/** What the broker keeps for a process that does not keep up; the oldest goes first. */
const QUEUE_BYTES = 64 * 1024 * 1024;

const batchSchema = z.array(normalizedEventSchema);
const headersSchema = z.object({
  /** Names the process that sends. */
  process: z.string(),
  /** How many events it was to tell of before these, whether or not it could. */
  after: z.int().nonnegative(),
});
const log = getLogger(["inlet", "broker", "live"]);

/**
 * Tells the processes on one broker of each other's events, for their live streams.
 *
 * It has a fanout exchange of its own, to which each process binds an exclusive queue while somebody listens. Bound to
 * the events' own exchange, that queue would take every message, and the broker could no longer tell that no consumer
 * is bound for one (`mandatory`). Listeners here get this process's events directly.
 *
 * Nothing here is confirmed or kept: what is lost is only noticed, since each process counts the events it tells of.
 */
export class LiveRelay implements Live {
  readonly #process = crypto.randomUUID();
  readonly #listeners = new LiveListeners();
  #channel: Channel | undefined;
  #consumer: Promise<string> | undefined;
  #batch: string[] = [];
  #batchCharacters = 0;
  /** How many events came before the batch. */
  #before = 0;
  readonly #heard = new LiveSequences();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rebinding: ReturnType<typeof setInterval> | undefined;
  #reopening: ReturnType<typeof setTimeout> | undefined;
  #model: ChannelModel | undefined;
  #problem: string | undefined;
  #opened: Promise<void> = Promise.resolve();

  constructor(private readonly exchange: string) {}

  /** Why other processes' events are not heard; `undefined` while they are. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Takes up a new connection, and the listening that was under way on the last. Does not wait, and does not fail: the
   * relay must not keep events from being published, so what goes wrong is logged and tried again.
   */
  attach(model: ChannelModel): void {
    clearTimeout(this.#reopening);
    this.#model = model;
    this.#opened = this.#open(model).catch((error) => this.#reopen(model, error));
  }

  async #open(model: ChannelModel): Promise<void> {
    const channel = await model.createChannel();
    let failure: Error | undefined;
    channel.on("error", (error) => failure = error);
    channel.on("close", () => {
      if (this.#channel !== channel) return;
      this.#forget();
      this.#reopen(model, failure ?? new Error("the broker closed the channel"));
    });
    await this.#declare(channel);
    this.#channel = channel;
    this.#consumer = undefined;
    if (this.#listeners.size > 0) await this.#bind();
    this.#problem = undefined;
  }

  async #declare(channel: Channel): Promise<void> {
    await channel.assertExchange(this.exchange, "fanout", { durable: false, autoDelete: false });
  }

  #reopen(model: ChannelModel, error: unknown): void {
    if (this.#model !== model) return;
    this.#problem = `${this.exchange}: ${error instanceof Error ? error.message : error}`;
    log.warning("other processes' events are not heard, trying again: {reason}", { reason: this.#problem });
    this.#reopening = setTimeout(() => this.attach(model), REOPEN_AFTER_MS);
  }

  /** Gives up a connection that is lost. */
  detach(): void {
    clearTimeout(this.#reopening);
    this.#model = undefined;
    this.#forget();
  }

  #forget(): void {
    clearInterval(this.#rebinding);
    this.#channel = this.#consumer = undefined;
  }

  /** Gives the events to the listeners here, and to the other processes within {@link TICK_MS}. */
  announce(events: readonly SerializedEvent[]): void {
    this.#listeners.tell(events);
    for (const { json } of events) {
      if (json.length > LARGEST_EVENT_CHARACTERS) {
        this.#flush();
        this.#before++;
        continue;
      }
      this.#batch.push(json);
      this.#batchCharacters += json.length;
      if (this.#batchCharacters >= BATCH_CHARACTERS) this.#flush();
    }
    if (this.#batch.length > 0) this.#timer ??= setTimeout(() => this.#flush(), TICK_MS);
  }

  /**
   * Resolves when the broker has bound this process's queue; while there is no connection, at once, and after
   * {@link LISTEN_TIMEOUT_MS} in any case.
   */
  async subscribe(listener: Listener): Promise<() => void> {
    const end = this.#listeners.add(listener);
    const listening = this.#listen().catch((error) =>
      log.warning("cannot listen: {reason}", { reason: String(error) })
    );
    await settledWithin(LISTEN_TIMEOUT_MS, listening);
    return () => {
      end();
      if (this.#listeners.size === 0) this.#stopListening();
    };
  }

  /** Tells of what is left; the channel goes with the connection. */
  close(): void {
    this.#flush();
    this.#listeners.clear();
    this.detach();
  }

  async #listen(): Promise<void> {
    await this.#opened;
    await this.#bind();
  }

  async #bind(): Promise<void> {
    const channel = this.#channel;
    if (channel === undefined) return;
    this.#consumer ??= this.#consume(channel);
    await this.#consumer;
  }

  async #consume(channel: Channel): Promise<string> {
    const arguments_ = { "x-max-length-bytes": QUEUE_BYTES, "x-overflow": "drop-head" };
    const { queue } = await channel.assertQueue("", { exclusive: true, autoDelete: true, arguments: arguments_ });
    await channel.bindQueue(queue, this.exchange, "");
    clearInterval(this.#rebinding);
    // Who waited for this may have gone meanwhile, and the queue with them.
    if (this.#listeners.size > 0) {
      this.#rebinding = setInterval(() => this.#rebind(channel, queue).catch(() => {}), REBIND_INTERVAL_MS);
    }
    const { consumerTag } = await channel.consume(queue, (message) => this.#receive(message), { noAck: true });
    return consumerTag;
  }

  async #rebind(channel: Channel, queue: string): Promise<void> {
    await this.#declare(channel);
    await channel.bindQueue(queue, this.exchange, "");
  }

  /** The queue deletes itself with its last consumer. */
  #stopListening(): void {
    const channel = this.#channel;
    const consumer = this.#consumer;
    this.#consumer = undefined;
    clearInterval(this.#rebinding);
    this.#heard.clear();
    if (channel === undefined) return;
    consumer?.then((consumerTag) => channel.cancel(consumerTag)).catch(() => {});
  }

  #receive(message: ConsumeMessage | null): void {
    if (message === null) return this.#cancelled();
    const headers = headersSchema.safeParse(message.properties.headers).data;
    if (headers?.process === this.#process) return;
    const batch = readBatch(message.content);
    if (headers === undefined || batch === undefined) {
      log.warning("a message on {exchange} is not of this program's format: ignored", { exchange: this.exchange });
      return;
    }
    const events = batch.map((event) => ({ event, json: JSON.stringify(event) }));
    const told = { by: headers.process, afterGap: !this.#heard.follows(headers, batch.length) };
    this.#listeners.tell(events, told);
  }

  /** The broker ended the consumer: somebody deleted its queue. */
  #cancelled(): void {
    this.#consumer = undefined;
    if (this.#listeners.size > 0) {
      this.#listen().catch((error) => log.warning("cannot listen: {reason}", { reason: String(error) }));
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#batch;
    this.#batch = [];
    this.#batchCharacters = 0;
    if (batch.length === 0) return;
    const headers = { process: this.#process, after: this.#before };
    this.#before += batch.length;
    try {
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
