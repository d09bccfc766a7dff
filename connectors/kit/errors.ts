/** One fault in some input: where it is (RFC 6901 JSON Pointer, `""` for the whole) and what to change. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** Why a delivery's signature was refused. `unset` means that the connector has no secret to verify with. */
export type SignatureFault = "missing" | "malformed" | "mismatch" | "stale" | "unset";

/** The delivery is not proven to come from its source. Nothing of its body was parsed. */
export class SignatureError extends Error {
  override readonly name = "SignatureError";

  constructor(readonly fault: SignatureFault, message: string) {
    super(message);
  }
}

/** The delivery is authentic, but its body is not in the format that its source documents (not JSON, say). */
export class MalformedBodyError extends Error {
  override readonly name = "MalformedBodyError";
}

/** The delivery is authentic and well-formed, but its content is not what its source documents. */
export class ShapeError extends Error {
  override readonly name = "ShapeError";

  constructor(message: string, readonly faults: readonly Fault[]) {
    super(message);
  }
}

/** The source could not be polled, or what it said could not be read; the message says what an operator can do. */
export class PollError extends Error {
  override readonly name = "PollError";
}
