import { getLogger } from "@logtape/logtape";
import type { Follow, Journal } from "../deps.ts";
import type { ShownEvent } from "./client.ts";

const log = getLogger(["inlet", "stream"]);

/**
 * Finds in the journal what other processes published for a workspace and could not tell of: one was killed, or it or this
 * one had no connection to the broker.
 */
export class CatchUp {
  #follow: Promise<Follow | undefined> | undefined;

  constructor(private readonly journal: Journal | undefined, private readonly workspaceId: string) {}

  /** Resolves when all that is written from now on will be found. What goes wrong is logged, and tried again by the next look. */
  async begin(): Promise<void> {
    await this.#begun();
  }

  /** The events since the last look, or since the beginning, that `isKnown` does not know. */
  async *missed(isKnown: (eventId: string) => boolean): AsyncIterable<ShownEvent> {
    const follow = await this.#begun();
    for await (const { id, json } of follow?.(isKnown) ?? []) {
      yield { event: { id, workspaceId: this.workspaceId }, json };
    }
  }

  #begun(): Promise<Follow | undefined> {
    return this.#follow ??= this.journal?.follow(this.workspaceId).catch((error) => {
      log.error("cannot look for other processes' events: {error}", { error });
      this.#follow = undefined;
      return undefined;
    }) ?? Promise.resolve(undefined);
  }
}
