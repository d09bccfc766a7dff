import type { SerializedEvent } from "../deps.ts";
import { BrokerUnavailableError, EventRefusedError } from "../errors.ts";

/** Why the broker did not confirm a message. */
export interface Refusal {
  readonly reason: string;
  /** `away`: there is no broker; `message`: it does not take this one; `channel`: nor another of those under way. */
  readonly fault: "away" | "message" | "channel";
}

/** Reply codes with which a channel is closed for another reason than the message: AMQP 0-9-1, section 1.1. */
const NOT_OVER_A_MESSAGE = new Set([320, 403, 404]);
/** How RabbitMQ refuses a routing key alone: https://www.rabbitmq.com/docs/access-control#topic-authorisation */
const OVER_A_ROUTING_KEY = /access to topic '/;

/**
 * What the client library's error about a message means.
 *
 * @param closure Why the broker closed the channel, if it did.
 */
export function refusalOf(error: unknown, closure: Error | undefined): Refusal {
  const reason = messageOf(error);
  if (reason === "message nacked") {
    return { reason: "a queue that it goes to refused it (is it full?)", fault: "message" };
  }
  if (closure === undefined) return { reason, fault: "away" };
  return { reason: closure.message, fault: isOverMessage(closure) ? "channel" : "away" };
}

function isOverMessage(closure: Error): boolean {
  if (!("code" in closure) || typeof closure.code !== "number") return false;
  return !NOT_OVER_A_MESSAGE.has(closure.code) || OVER_A_ROUTING_KEY.test(closure.message);
}

/** What publishing fails with, where the broker confirmed no more than `confirmed`. */
export function unconfirmed({ reason, fault }: Refusal, confirmed: readonly SerializedEvent[]): BrokerUnavailableError {
  const options = { confirmed: new Set(confirmed.map(({ event }) => event.id)) };
  const message = `Cannot publish: ${reason}`;
  if (fault === "away") return new BrokerUnavailableError(message, options);
  return new EventRefusedError(message, fault === "channel", options);
}

/** What an error says of a message. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "the broker refused the message";
}
