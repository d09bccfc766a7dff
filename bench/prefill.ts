import type { SerializedEvent } from "../server/deps.ts";
import { loadOrCreateKeyFile } from "../server/crypto/key.ts";
import { createSealer } from "../server/crypto/seal.ts";
import { journalStore } from "../server/store/journal.ts";
import { openStore } from "../server/store/open.ts";
import type { Inlet } from "./inlet.ts";

/** What is handed to the store at a time. */
const BATCH = 1000;
const DAY_MS = 86_400_000;
/** How often it says how far it has come, in rows. */
const SAY_EVERY = 200_000;

/**
 * Puts rows into the journal and among the accepted deliveries of a service's first workspace, through the service's own
 * store, and starts the service again.
 */
export async function prefill(inlet: Inlet, rows: number, say: (line: string) => void): Promise<void> {
  const workspaceId = inlet.sources[0]?.workspaceId;
  if (workspaceId === undefined) throw new Error("Cannot fill the store: it has no workspace");
  await inlet.stop();
  const kv = await openStore(`${inlet.folder}/inlet.sqlite3`);
  try {
    const { key } = await loadOrCreateKeyFile(`${inlet.folder}/encryption.key`);
    const now = () => new Date();
    const retention = { ageMs: DAY_MS, count: rows };
    const journal = journalStore(kv, { sealer: await createSealer(key), retention, dedupeWindowMs: DAY_MS, now });
    for (let done = 0; done < rows; done += BATCH) {
      const events = Array.from({ length: Math.min(BATCH, rows - done) }, () => smallEvent(workspaceId));
      await Promise.all(events.map((event) => journal.append([event], { workspaceId, id: event.event.id })));
      await journal.idle();
      if ((done + BATCH) % SAY_EVERY === 0) say(`  ${done + BATCH} of ${rows} rows stored`);
    }
  } finally {
    kv.close();
  }
  await inlet.start();
}

/** An event that has nothing but what every event has. */
function smallEvent(workspaceId: string): SerializedEvent {
  const event: SerializedEvent["event"] = {
    id: crypto.randomUUID(),
    type: "github.star.created",
    workspaceId,
    occurredAt: new Date().toISOString(),
    source: "github",
    actor: { type: "user", id: "1" },
    subject: { type: "repository", id: "1" },
    payload: {},
  };
  return { event, json: JSON.stringify(event) };
}
