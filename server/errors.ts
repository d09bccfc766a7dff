import type { Fault } from "../connectors/kit/errors.ts";

/** What was asked for does not exist, or is not to be told apart from what does not. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
}

/** The request does not say who makes it, or says so wrongly. */
export class UnauthorizedError extends Error {
  override readonly name = "UnauthorizedError";
}

/** Whoever makes the request may not. */
export class ForbiddenError extends Error {
  override readonly name = "ForbiddenError";
}

/** The same was tried too often; it can be tried again in `waitMs` milliseconds. */
export class TooManyRequestsError extends Error {
  override readonly name = "TooManyRequestsError";

  constructor(message: string, readonly waitMs: number) {
    super(message);
  }
}

/** The request is valid, but not in the present state. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
}

/** Where the last poll of a source ended is stored, and cannot be read. The message says what an operator can do. */
export class UnreadableStateError extends ConflictError {
  constructor(connectorId: string, cause: StoreError | EncryptionKeyError) {
    const remedy = cause instanceof UnknownKeyError
      ? "Put the key that it was sealed with into ENCRYPTION_KEYS_OLD"
      : "Restore a backup";
    super(
      `Cannot poll ${connectorId}: where its last poll ended cannot be read in the store (${firstLine(cause)}). ` +
        `${remedy}, or start anew, and events begin now`,
      { cause },
    );
  }
}

/** A connector's stored settings cannot be read. The message says what an operator can do. */
export class UnreadableSettingsError extends ConflictError {
  /** The version of what is stored, for whoever replaces it; `null` if it may be readable again with another key. */
  readonly replaceable: string | null;

  constructor(
    connectorId: string,
    { version, cause }: { readonly version: string | null; readonly cause: StoreError | EncryptionKeyError },
  ) {
    const isDamaged = !(cause instanceof UnknownKeyError);
    const remedy = isDamaged
      ? "Restore a backup, or save them anew, config and secrets: a webhook URL is another one then"
      : "Put the key that they were sealed with into ENCRYPTION_KEYS_OLD";
    super(`Cannot read the settings of ${connectorId} in the store (${firstLine(cause)}). ${remedy}`, { cause });
    this.replaceable = isDamaged ? version : null;
  }
}

/** Whether the error says that what is stored cannot be read: it is damaged, or sealed with another key. */
export function isUnreadable(error: unknown): error is StoreError | EncryptionKeyError {
  return error instanceof StoreError || error instanceof EncryptionKeyError;
}

/** What an error says; anything may be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What is wrong with a record may be told in many lines, one for each of its fields. */
function firstLine({ message }: Error): string {
  const [line = ""] = message.split("\n");
  return line;
}

/** A fault in a body, or in the query or path parameter `parameter`. */
export type InputFault = Fault | { readonly parameter: string; readonly detail: string };

/** The input was understood and is wrong; each fault says where and what to change. */
export class InvalidInputError extends Error {
  override readonly name = "InvalidInputError";

  constructor(message: string, readonly faults: readonly InputFault[]) {
    super(message);
  }
}

/** The body is larger than `limitBytes`; reading stopped there. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";

  constructor(readonly limitBytes: number) {
    super(`Cannot read the body: it is larger than ${limitBytes} bytes`);
  }
}

/** The body did not arrive whole: its sender went away. */
export class BodyInterruptedError extends Error {
  override readonly name = "BodyInterruptedError";
}

/** The body did not arrive whole within `timeoutMs`. */
export class BodyTimeoutError extends Error {
  override readonly name = "BodyTimeoutError";

  constructor(timeoutMs: number) {
    super(`Cannot read the body: it did not arrive whole within ${timeoutMs} ms (BODY_TIMEOUT)`);
  }
}

/** There is no room for the request beside those under way; the same one may be taken later. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/** The delivery is authentic, and more than the service is set to take of one; it will never be accepted so. */
export class DeliveryLimitError extends Error {
  override readonly name = "DeliveryLimitError";
}

/** The body's media type is not one that the endpoint reads. */
export class UnsupportedMediaTypeError extends Error {
  override readonly name = "UnsupportedMediaTypeError";
}

/** The path exists, but not with this method; `allow` lists those it has. */
export class MethodNotAllowedError extends Error {
  override readonly name = "MethodNotAllowedError";

  constructor(readonly allow: readonly string[]) {
    super(`Cannot use this method here: the path allows ${allow.join(", ")}`);
  }
}

/** The message broker did not confirm the events. The sender may try again: the events keep their ids. */
export class BrokerUnavailableError extends Error {
  override readonly name: string = "BrokerUnavailableError";
  /** Ids of those events of the same publish that it did confirm. */
  readonly confirmed: ReadonlySet<string>;

  constructor(message: string, options: ErrorOptions & { readonly confirmed?: ReadonlySet<string> } = {}) {
    super(message, options);
    this.confirmed = options.confirmed ?? new Set();
  }
}

/** The message broker answers, and did not take an event for a reason of the event's own or of a queue that it goes to. */
export class EventRefusedError extends BrokerUnavailableError {
  override readonly name = "EventRefusedError";

  constructor(
    message: string,
    /** Whether the channel was closed over it: of the events under way together, any may be the one. */
    readonly closedChannel: boolean,
    options: ErrorOptions & { readonly confirmed?: ReadonlySet<string> } = {},
  ) {
    super(message, options);
  }
}

/** The broker did not confirm, and the spool has no room for the events. Nothing of them was stored. */
export class SpoolFullError extends Error {
  override readonly name = "SpoolFullError";
}

/** An event is larger than the broker takes; the same delivery will never be accepted. */
export class EventTooLargeError extends Error {
  override readonly name = "EventTooLargeError";
}

/** The service is stopping and takes no more requests. */
export class StoppingError extends Error {
  override readonly name = "StoppingError";
}

/** Another process does now what this one began: nothing more of it may be written. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** The store cannot be opened, or holds something that this program cannot read. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
}

/** Another process has the store open, and it is needed for oneself. */
export class StoreInUseError extends StoreError {
  override readonly name = "StoreInUseError";
}

/** The key is not usable, or not the one that the store was written with. */
export class EncryptionKeyError extends Error {
  override readonly name = "EncryptionKeyError";
}

/** The value was sealed with a key that is not here. */
export class UnknownKeyError extends EncryptionKeyError {}

/** The environment holds a value that the service cannot start with; `message` has one line per fault. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
