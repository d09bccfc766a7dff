import { z } from "zod";
import { type EventDraft, type Fault, ShapeError } from "../kit/mod.ts";
import { type Context, readEvent } from "./event.ts";

const MOST_FAULTS = 100;

const batchSchema = z.looseObject({ events: z.unknown() });

/** An event, and the JSON Pointer of its place in the body. */
interface Placed {
  readonly pointer: string;
  readonly event: unknown;
}

/** How many events one request may hold, and what {@link readEvent} is told. */
interface BatchContext extends Context {
  readonly maxBatchSize: number;
}

/**
 * Turns one event, or a batch `{ "events": [ … ] }`, into a draft for each. A batch is taken whole or not at all.
 *
 * @throws {ShapeError} if any event is not as documented; it says which, and where
 * @throws {z.ZodError} if the batch itself is not
 */
export function normalize(body: unknown, context: BatchContext): readonly EventDraft[] {
  const placed = eventsIn(body, context.maxBatchSize);
  const ids = new Set<string>();
  const drafts: EventDraft[] = [];
  const faults: Fault[] = [];
  let wrong = 0;
  for (const { pointer, event } of placed) {
    const read = readEvent(event, context);
    const found = "faults" in read ? read.faults : repeated(read.draft.payload.eventId, ids);
    faults.push(...found.map((fault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` })));
    if (found.length > 0) wrong++;
    if ("draft" in read) drafts.push(read.draft);
  }
  if (wrong === 0) return drafts;
  const what = placed.length === 1 ? "the event is" : `${wrong} of its ${placed.length} events are`;
  throw new ShapeError(
    `Cannot read the delivery: ${what} not as documented, and nothing of it was taken`,
    faults.slice(0, MOST_FAULTS),
  );
}

function eventsIn(body: unknown, maxBatchSize: number): readonly Placed[] {
  if (!batchSchema.safeParse(body).success) return [{ pointer: "", event: body }];
  const tooMany = `expected at most ${maxBatchSize} events in one request`;
  const { events } = z.strictObject({ events: z.array(z.unknown()).min(1).max(maxBatchSize, tooMany) }).parse(body);
  return events.map((event, index) => ({ pointer: `/events/${index}`, event }));
}

function repeated(id: unknown, ids: Set<string>): readonly Fault[] {
  if (typeof id !== "string") return [];
  if (ids.has(id)) return [{ pointer: "/id", detail: "is the id of another event of the batch" }];
  ids.add(id);
  return [];
}
