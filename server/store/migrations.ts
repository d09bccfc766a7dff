/**
 * A step from one schema of the store to the next. It may be cut off anywhere and run again, and two processes may run it
 * at once: it changes only what still has the old form.
 */
export interface Migration {
  /** What it does, for the log: "seal the cursors of pollers". */
  readonly what: string;
  /**
   * @param goOn To be called between batches; throws LeaseLostError when another process has taken over.
   */
  run(kv: Deno.Kv, goOn: () => Promise<void>): Promise<void>;
}

/**
 * The steps from schema 1 on, in order: the first makes 2 of 1. Never changed once released, only added to. A step is needed
 * where an older program's records cannot be read as they are; a field with a default needs none.
 */
export const MIGRATIONS: readonly Migration[] = [];
