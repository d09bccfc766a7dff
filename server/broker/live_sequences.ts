/** What a message says of its place among those of its process. */
export interface LivePlace {
  readonly process: string;
  /** How many events came before it. */
  readonly after: number;
}

/** Tells whether the messages of each process follow on each other, or something between them was lost. */
export class LiveSequences {
  readonly #next = new Map<string, number>();

  /**
   * Takes a message of so many events. `false` if events may be missing before it: also for the first of a process, but
   * for the first that it ever sent.
   */
  follows({ process, after }: LivePlace, count: number): boolean {
    const next = this.#next.get(process) ?? 0;
    this.#next.set(process, after + count);
    return after === next;
  }

  /** Forgets all: whoever did not listen for a time has missed something. */
  clear(): void {
    this.#next.clear();
  }
}
