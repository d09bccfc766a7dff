/** A value in a server's response: text of an atom or a quoted string, the bytes of a literal, NIL, or a list. */
export type ImapValue = string | Uint8Array<ArrayBuffer> | null | readonly ImapValue[];

/** Deeper lists than any mail needs would only exhaust the stack. */
const DEEPEST = 200;

const codeOf = (character: string) => character.charCodeAt(0);
const LF = codeOf("\n");
const QUOTE = codeOf('"');
const BACKSLASH = codeOf("\\");
const OPEN = codeOf("(");
const CLOSE = codeOf(")");
const OPEN_SECTION = codeOf("[");
const CLOSE_SECTION = codeOf("]");
const OPEN_LITERAL = codeOf("{");
const BLANK = new Set([..." \t\r\n"].map(codeOf));

const utf8 = new TextDecoder();

/** What a value says as text: bytes as UTF-8 (what is none becomes U+FFFD), NIL and lists as `null`. */
export function textOf(value: ImapValue | undefined): string | null {
  if (typeof value === "string") return value;
  return value instanceof Uint8Array ? utf8.decode(value) : null;
}

/** The members of a list; none for anything else. */
export function listOf(value: ImapValue | undefined): readonly ImapValue[] {
  return value === undefined || value === null || typeof value === "string" || value instanceof Uint8Array ? [] : value;
}

/**
 * Reads the values of one response (RFC 3501, section 9), its literals in place. Lenient as far as it stays clear where
 * a value ends: what servers send is not always what the grammar says.
 *
 * @param bytes A response from its first byte to its last, with the line ends of its literals, without its own.
 */
export function readValues(bytes: Uint8Array<ArrayBuffer>): readonly ImapValue[] {
  return new Reader(bytes).list(0);
}

class Reader {
  #at = 0;

  constructor(readonly bytes: Uint8Array<ArrayBuffer>) {}

  /** Reads values up to the closing parenthesis or the end. */
  list(depth: number): readonly ImapValue[] {
    const values: ImapValue[] = [];
    while (this.#at < this.bytes.length) {
      const byte = this.bytes[this.#at] ?? 0;
      if (BLANK.has(byte)) {
        this.#at++;
      } else if (byte === CLOSE) {
        this.#at++;
        if (depth > 0) return values;
      } else if (byte === OPEN) {
        this.#at++;
        if (depth === DEEPEST) throw new RangeError(`Cannot read the response: lists are nested over ${DEEPEST} deep`);
        values.push(this.list(depth + 1));
      } else {
        values.push(byte === QUOTE ? this.#quoted() : byte === OPEN_LITERAL ? this.#literal() : this.#atom());
      }
    }
    return values;
  }

  #quoted(): string {
    const text: number[] = [];
    for (this.#at++; this.#at < this.bytes.length; this.#at++) {
      let byte = this.bytes[this.#at] ?? 0;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) byte = this.bytes[++this.#at] ?? 0;
      text.push(byte);
    }
    this.#at++;
    return utf8.decode(new Uint8Array(text));
  }

  #literal(): Uint8Array<ArrayBuffer> {
    const end = this.bytes.indexOf(LF, this.#at);
    const start = end === -1 ? this.bytes.length : end + 1;
    const length = literalLength(this.bytes.subarray(this.#at, start)) ?? 0;
    this.#at = start + length;
    return this.bytes.slice(start, this.#at);
  }

  /** An atom holds no delimiters but within a section's brackets: `BODY[HEADER.FIELDS (MESSAGE-ID)]<0>` is one. */
  #atom(): string | null {
    const start = this.#at;
    let inSection = false;
    for (; this.#at < this.bytes.length; this.#at++) {
      const byte = this.bytes[this.#at] ?? 0;
      if (byte === OPEN_SECTION) inSection = true;
      if (byte === CLOSE_SECTION) inSection = false;
      if (!inSection && (BLANK.has(byte) || byte === OPEN || byte === CLOSE)) break;
    }
    const text = utf8.decode(this.bytes.subarray(start, this.#at));
    return text.toUpperCase() === "NIL" ? null : text;
  }
}

/** The length of the literal that a line announces at its end (`{12}`, line end or not), if it does. */
export function literalLength(line: Uint8Array<ArrayBuffer>): number | null {
  const match = /\{(\d{1,10})\+?\}\r?\n?$/.exec(utf8.decode(line.subarray(-16)));
  return match ? Number(match[1]) : null;
}
