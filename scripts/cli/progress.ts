/** Where progress is shown: a terminal, or what stands for one. */
export interface ProgressTarget {
  isTerminal(): boolean;
  writeSync(bytes: Uint8Array): number;
}

/** Goes back to the line's beginning, and empties it. */
const CLEAR_LINE = "\r\x1b[K";

/** Shows on a terminal how far long work has come, on one line that is written over; elsewhere nothing. */
export class Progress {
  readonly #isShown: boolean;
  #shown = "";

  /** @param target Standard error unless given, so that standard output holds nothing but results. */
  constructor(private readonly target: ProgressTarget = Deno.stderr) {
    this.#isShown = target.isTerminal();
  }

  /** @param text What is being done, and how far it is, on one line. */
  show(text: string): void {
    if (!this.#isShown || text === this.#shown) return;
    this.#shown = text;
    this.#write(`${CLEAR_LINE}${text}`);
  }

  /** Takes the line away: before other output, and at the end. */
  clear(): void {
    if (this.#shown !== "") this.#write(CLEAR_LINE);
    this.#shown = "";
  }

  #write(text: string): void {
    this.target.writeSync(new TextEncoder().encode(text));
  }
}
