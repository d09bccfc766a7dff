import type { Options } from "amqplib";
import { Buffer } from "node:buffer";
import type { SerializedEvent } from "../deps.ts";
import { EventTooLargeError } from "../errors.ts";
import { routingKeyOf } from "../routing_key.ts";
import { type MessageFormat, normalizedFormat } from "./format.ts";

/** How events become messages. */
export interface MessageOptions {
  /** Template with `{type}`, `{source}` and `{workspaceId}`. */
  readonly routingKey: string;
  /** How messages are written; default: as JSON of the NormalizedEvent. Live streams always get that. */
  readonly format?: MessageFormat;
  /** The broker's `max_message_size`. */
  readonly maxMessageBytes: number;
}

/** What is published for an event: persistent and `mandatory` (https://www.rabbitmq.com/docs/publishers). */
export interface Message {
  readonly routingKey: string;
  readonly body: Buffer;
  readonly properties: Options.Publish & { readonly messageId: string };
}

/** Gives the message of an event. */
export function messageFor(
  { event, json, traceparent }: SerializedEvent,
  { routingKey, format = normalizedFormat }: Pick<MessageOptions, "routingKey" | "format">,
): Message {
  const { contentType, body } = format({ event, json });
  const timestamp = Math.floor(Date.parse(event.occurredAt) / 1000);
  return {
    routingKey: routingKeyOf(routingKey, event),
    body: Buffer.from(body),
    properties: {
      persistent: true,
      mandatory: true,
      messageId: event.id,
      type: event.type,
      // AMQP's seconds have no sign (0-9-1, section 4.2.5.4): a time before 1970 is in the body alone.
      ...(timestamp >= 0 && { timestamp }),
      contentType,
      appId: "inlet",
      headers: { "workspace-id": event.workspaceId, ...(traceparent && { traceparent }) },
    },
  };
}

/**
 * Looks whether the broker takes messages as large as these events'. It would close the channel over one that is not, and
 * every other publish under way with it.
 *
 * @throws {EventTooLargeError} with the first that is larger
 */
export function refuseTooLarge(
  events: readonly SerializedEvent[],
  { maxMessageBytes, format = normalizedFormat }: Pick<MessageOptions, "maxMessageBytes" | "format">,
): void {
  for (const { event, json } of events) {
    const { body } = format({ event, json });
    // A character is three bytes at most: few events need to be counted.
    if (body.length * 3 <= maxMessageBytes || Buffer.byteLength(body) <= maxMessageBytes) continue;
    throw new EventTooLargeError(
      `Cannot publish: a ${event.type} event is larger than the broker takes, ${maxMessageBytes} bytes (MAX_MESSAGE_BYTES)`,
    );
  }
}
