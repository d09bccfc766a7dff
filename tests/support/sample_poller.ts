import { z } from "zod";
import { definePoller, type PolledDraft, type PollerConnector } from "../../connectors/kit/mod.ts";

/** The secret that the pollers of a {@link SampleSource} are opened with. */
export const SAMPLE_PASSWORD = "a password of the sample poller";

const textSchema = z.object({ text: z.string() });

/** A source that exists only in tests: a list of texts, polled page by page. */
export class SampleSource {
  readonly things: string[] = [];
  /** What each poll was given as cursor. */
  readonly cursors: (number | null)[] = [];
  /** What the next polls throw. */
  failure: Error | undefined;
  /** Awaited by each poll before it answers. */
  gate: Promise<void> = Promise.resolve();
  /** Called with each poll's signal, and awaited. */
  onPoll: (signal: AbortSignal) => unknown = () => {};

  /** `timeoutMs`: of one poll; `id`: of the connector. */
  connector({ id = "things", timeoutMs = 60_000, pageSize = 100 } = {}): PollerConnector {
    return definePoller({
      id,
      name: "Things",
      description: "A list for tests",
      documentationUrl: "https://example.com/things",
      payloads: { [`${id}.thing.made`]: textSchema },
      descriptions: { [`${id}.thing.made`]: "A thing was put on the list." },
      config: { label: z.string().optional().describe("Anything") },
      secrets: { password: z.string().describe("Opens the list") },
      cursor: z.int(),
      timeoutMs,
      poll: async ({ cursor, now, signal }) => {
        this.cursors.push(cursor);
        await this.onPoll(signal);
        if (this.failure !== undefined) throw this.failure;
        await this.gate;
        // The first time, what is there already is no news.
        const from = cursor ?? this.things.length;
        const page = this.things.slice(from, from + pageSize);
        const drafts = page.map((text, index): PolledDraft => ({
          key: String(from + index),
          type: `${id}.thing.made`,
          occurredAt: now,
          actor: { type: "user", id: "1" },
          subject: { type: "thing", id: String(from + index) },
          payload: { text },
        }));
        return { drafts, cursor: from + page.length, more: from + page.length < this.things.length };
      },
    });
  }
}

/** A gate that a poll waits at until it is opened. */
export function closedGate(): { gate: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { gate: promise, open: resolve };
}
