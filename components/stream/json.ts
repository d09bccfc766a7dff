/** What a piece of written JSON is: `plain` is punctuation and space, `note` is ours and not part of the JSON. */
export type JsonKind = "key" | "string" | "number" | "literal" | "plain" | "note";

/** A piece of written JSON. */
export interface JsonPiece {
  readonly kind: JsonKind;
  readonly text: string;
}

/** How much is written; the rest is replaced by notes. */
const MOST_LINES = 1500;
const MOST_CHARACTERS = 2000;
const DEEPEST = 32;

/**
 * Characters that reorder or end a line, or that a terminal obeys. JSON may write them as escapes, and means the same.
 * @see https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
 */
const DECEPTIVE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Writes the deceptive characters of JSON as escapes: the same JSON, and what one sees is what it says. */
export function plainJson(json: string): string {
  return json.replace(DECEPTIVE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Leaves out the deceptive characters of a text that is only to be recognized. */
export function plainText(text: string): string {
  return text.replace(DECEPTIVE, "");
}

/** Writes a value, as `JSON.parse` gives it, over several lines, in pieces to be coloured. */
export function jsonPieces(value: unknown): JsonPiece[] {
  const writer = new Writer();
  writer.write(value, 0);
  return writer.pieces;
}

class Writer {
  readonly pieces: JsonPiece[] = [];
  #lines = 1;

  write(value: unknown, depth: number): void {
    if (typeof value === "string") return this.#text("string", value);
    if (typeof value === "number") return this.#add("number", JSON.stringify(value));
    if (typeof value !== "object" || value === null) return this.#add("literal", String(value));
    const isList = Array.isArray(value);
    const entries = Object.entries(value);
    const [start, end] = isList ? ["[", "]"] : ["{", "}"];
    if (entries.length === 0) return this.#add("plain", start + end);
    this.#add("plain", start);
    this.#entries(entries, isList, depth + 1);
    this.#line(depth);
    this.#add("plain", end);
  }

  #entries(entries: readonly (readonly [string, unknown])[], isList: boolean, depth: number): void {
    for (const [index, [name, value]] of entries.entries()) {
      this.#line(depth);
      if (this.#lines > MOST_LINES || depth > DEEPEST) {
        return this.#add("note", `… ${entries.length - index} more, see the copy`);
      }
      if (!isList) {
        this.#text("key", name);
        this.#add("plain", ": ");
      }
      this.write(value, depth);
      if (index < entries.length - 1) this.#add("plain", ",");
    }
  }

  #text(kind: JsonKind, text: string): void {
    this.#add(kind, plainJson(JSON.stringify(text.slice(0, MOST_CHARACTERS))));
    const more = text.length - MOST_CHARACTERS;
    if (more > 0) this.#add("note", ` … ${more} characters more, see the copy`);
  }

  #line(depth: number): void {
    this.#lines++;
    this.#add("plain", `\n${"  ".repeat(depth)}`);
  }

  #add(kind: JsonKind, text: string): void {
    this.pieces.push({ kind, text });
  }
}
