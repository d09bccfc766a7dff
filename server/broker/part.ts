import type { ChannelModel } from "amqplib";
import { EventEmitter } from "node:events";

/** How the client library tells itself of a connection that is broken. */
const BROKEN = "frameError";

/**
 * Closes a connection, and after `timeoutMs` takes it for broken, so that it is made anew. The client library waits for ever
 * for the answer to its goodbye, and RabbitMQ gives none while one of the connection's channels hangs, though it keeps the
 * connection alive.
 */
export function part(model: ChannelModel, timeoutMs: number): void {
  const { connection } = model;
  const timer = setTimeout(() => {
    if (connection instanceof EventEmitter) connection.emit(BROKEN, new Error("it does not answer"));
  }, timeoutMs);
  model.once("close", () => clearTimeout(timer));
  // It is closing already, or closed.
  model.close().catch(() => clearTimeout(timer));
}
