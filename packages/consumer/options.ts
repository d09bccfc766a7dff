import type { InletEventOf, InletEventType, NormalizedEvent } from "@inlet/events";
import type { SeenEvents } from "./seen.ts";

/**
 * What is called with each event of a type. Its message is acknowledged once this has returned, or its promise resolved. It
 * must end: after the connection was lost, nothing is consumed until all that were running have ended.
 */
export type Handler<Event> = (event: Event) => void | Promise<void>;

/** A handler for each event type that matters, typed by its key. */
export type Handlers = { readonly [Type in InletEventType]?: Handler<InletEventOf<Type>> };

/** Something that went wrong and was taken care of: what is lost, if anything, is in the dead-letter queue. */
export interface Problem {
  /**
   * `connection`: the broker is away, or refuses something; it is tried again. `retry`: a handler failed and is called
   * again later. `dead`: the message went to the dead-letter queue.
   */
  readonly kind: "connection" | "retry" | "dead";
  /** What was thrown. */
  readonly error: unknown;
  /** The message's id, which is the event's; not of connections. */
  readonly messageId?: string | undefined;
}

/** How {@link consume} consumes. */
export interface ConsumeOptions {
  /** The broker, such as `amqp://user:password@host:5672`; `guest` with the password `guest` if it names no user. */
  readonly url: string;
  /** The service's topic exchange; `inlet.events`, its default, if it is not given. Declared if it is not there. */
  readonly exchange?: string | undefined;
  /** The queue, durable and shared by all consumers of its name. Its retries and dead letters are in others named after it. */
  readonly queue: string;
  /** Bindings, with `*` for one word and `#` for any number; the handlers' types if none are given. */
  readonly bind?: readonly string[] | undefined;
  /** The handlers by event type. Types that are bound and have no handler go to `otherwise`. */
  readonly on?: Handlers | undefined;
  /** Called with the events that have no handler, their payload unchecked; without it they are acknowledged. */
  readonly otherwise?: Handler<NormalizedEvent> | undefined;
  /** How many events are handled at a time, 10 if it is not given; 1 keeps their order, but for retries. */
  readonly prefetch?: number | undefined;
  /**
   * How long to wait before each further try after a handler has failed, in milliseconds; 1 s, 10 s and 60 s if it is not
   * given. After the last one the message goes to `<queue>.dead`.
   */
  readonly retryDelaysMs?: readonly number[] | undefined;
  /**
   * How often a message may come back without an answer, because the process died over it, before it goes to
   * `<queue>.dead`; 20 if it is not given, as in RabbitMQ 4. Quorum queues only. It cannot be changed once the queue is
   * there.
   */
  readonly deliveryLimit?: number | undefined;
  /** The kind of queues to declare; `quorum` if it is not given. It cannot be changed once they are there. */
  readonly queueType?: "quorum" | "classic" | undefined;
  /** What tells repeats; the newest 10,000 ids in memory if it is not given. */
  readonly seen?: SeenEvents | undefined;
  /** How long to wait for the broker at the start, in milliseconds; 20 s if it is not given. */
  readonly connectTimeoutMs?: number | undefined;
  /** Told of what went wrong; writes a line to the console if it is not given. Must not throw. */
  readonly onProblem?: ((problem: Problem) => void) | undefined;
}
