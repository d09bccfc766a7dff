import type { Journal } from "../deps.ts";
import type { StreamClient } from "./client.ts";
import { SSE_GAP, sseMessage } from "./sse.ts";

/** Where a stream goes on, and what it goes on from. */
export interface ResumeParts {
  readonly workspaceId: string;
  /** The last event that the client has. */
  readonly lastEventId: string;
  readonly journal: Journal;
}

const encoder = new TextEncoder();

/**
 * Sends what the journal has after an event, while live events wait; a `gap` and all that it has if it lacks that event. A
 * `gap` also stands where the client reads so slowly that events left the journal before it came to them.
 */
export async function resume(
  client: StreamClient,
  { workspaceId, lastEventId, journal }: ResumeParts,
): Promise<void> {
  const known = await journal.has(workspaceId, lastEventId);
  if (!known) await client.replay(encoder.encode(SSE_GAP));
  for await (const { id, json, afterGap } of journal.after(workspaceId, known ? lastEventId : undefined)) {
    if (afterGap) {
      await client.replay(encoder.encode(SSE_GAP));
      for (const { event, json } of client.takeBefore(id)) {
        await client.replay(encoder.encode(sseMessage(event.id, json)), event.id);
      }
    }
    if (!await client.replay(encoder.encode(sseMessage(id, json)), id)) return;
  }
}
