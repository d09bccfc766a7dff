/** The server ended the conversation, or said what nobody can make sense of. */
export class ImapConnectionError extends Error {
  override readonly name = "ImapConnectionError";
}

/** Nothing that is asked for gives a longer response: headers and texts are fetched in part. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/** But a mail's structure is as long as its sender likes. Beyond this, nothing of what is told of a mail is kept. */
const MAX_MAIL_BYTES = 512 * 1024;
const MAX_UNKEPT_BYTES = 64 * 1024 * 1024;
const OF_A_MAIL = /^\* \d+ FETCH\b/i;
const BEGINNING_BYTES = 20;

const utf8 = new TextDecoder();
const CR = "\r".charCodeAt(0);

/** One response as it comes in, part by part. */
export class ImapResponse {
  #parts: Uint8Array<ArrayBuffer>[] = [];
  #beginning: Uint8Array = new Uint8Array();
  #length = 0;
  #isKept = true;

  /** @throws {ImapConnectionError} as {@link expect} does */
  add(part: Uint8Array<ArrayBuffer>): void {
    this.expect(part.length);
    this.#length += part.length;
    if (this.#isKept) this.#parts.push(part);
    if (this.#beginning.length < BEGINNING_BYTES) {
      this.#beginning = concat([this.#beginning, part.subarray(0, BEGINNING_BYTES)]);
    }
  }

  /**
   * Learns that so many bytes are to come, before they do.
   *
   * @throws {ImapConnectionError} if that is more than anything is to have that was asked for
   */
  expect(bytes: number): void {
    const length = this.#length + bytes;
    if (this.#isKept && length > MAX_MAIL_BYTES && OF_A_MAIL.test(utf8.decode(this.#beginning))) {
      this.#isKept = false;
      this.#parts = [];
    }
    const most = this.#isKept ? MAX_RESPONSE_BYTES : MAX_UNKEPT_BYTES;
    if (length > most) throw new ImapConnectionError(`the server's response is over ${most} bytes`);
  }

  /** The whole without its line end; `null` if it was too long to keep. */
  get bytes(): Uint8Array<ArrayBuffer> | null {
    if (!this.#isKept) return null;
    const whole = concat(this.#parts);
    return whole.subarray(0, whole.at(-2) === CR ? -2 : -1);
  }
}

/** Puts bytes together. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
