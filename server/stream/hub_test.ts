import assert from "node:assert/strict";
import { embeddedExchange } from "../broker/embedded.ts";
import { LiveListeners } from "../broker/live_listeners.ts";
import type { Journal, Listener, Live, Sealer, SerializedEvent, Told } from "../deps.ts";
import { someEvent } from "../../tests/support/events.ts";
import { createSealer } from "../crypto/seal.ts";
import { journalStore } from "../store/journal.ts";
import { createHub, type Hub } from "./hub.ts";

const HERE = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const ELSEWHERE = "9f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";

const eventOf = (id: string, workspaceId = HERE, text = "") => someEvent({ id, workspaceId, text });

/** Reads a stream's text as it comes. */
class Reading {
  text = "";
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
  }

  /** Reads until `wanted` has come or the stream has ended; gives the ids so far. */
  async until(wanted: string): Promise<string[]> {
    while (!this.text.includes(wanted)) {
      const { done, value } = await this.#reader.read();
      if (done) break;
      this.text += this.#decoder.decode(value, { stream: true });
    }
    return Array.from(this.text.matchAll(/^id: (.*)$/gm), ([, id]) => id ?? "");
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}

async function withHub(
  run: (hub: Hub, announce: (...events: SerializedEvent[]) => void) => Promise<void>,
  options: Parameters<typeof createHub>[1] = {},
): Promise<void> {
  const { live } = embeddedExchange();
  const hub = createHub(live, options);
  try {
    await run(hub, (...events) => live.announce(events));
  } finally {
    hub.close();
  }
}

Deno.test("a stream has each event once, in order, as one message of id and data", () =>
  withHub(async (hub, announce) => {
    const reading = new Reading(await hub.open(HERE));
    announce(eventOf("a", HERE, "line\nbreak\r\n\u2028</script>"), eventOf("b"));
    announce(eventOf("c"));
    assert.deepEqual(await reading.until("id: c\n"), ["a", "b", "c"]);
    await reading.until(`${eventOf("c").json}\n\n`);
    const messages = reading.text.split("\n\n").filter((message) => message.startsWith("id:"));
    assert.deepEqual(messages[0], `id: a\ndata: ${eventOf("a", HERE, "line\nbreak\r\n\u2028</script>").json}`);
  }));

Deno.test("a stream begins with the time to wait before connecting again", () =>
  withHub(async (hub) => {
    const reading = new Reading(await hub.open(HERE));
    await reading.until("\n\n");
    assert.equal(reading.text, "retry: 3000\n\n");
  }));

Deno.test("a stream has no other workspace's events", () =>
  withHub(async (hub, announce) => {
    const here = new Reading(await hub.open(HERE));
    const elsewhere = new Reading(await hub.open(ELSEWHERE));
    announce(eventOf("a", ELSEWHERE), eventOf("b", HERE), eventOf("c", ELSEWHERE), eventOf("d", HERE));
    assert.deepEqual(await here.until("id: d"), ["b", "d"]);
    assert.deepEqual(await elsewhere.until("id: c"), ["a", "c"]);
  }));

Deno.test("a repeated event is on a stream once", () =>
  withHub(async (hub, announce) => {
    const reading = new Reading(await hub.open(HERE));
    announce(eventOf("a"), eventOf("b"));
    announce(eventOf("a"), eventOf("b"), eventOf("c"));
    assert.deepEqual(await reading.until("id: c"), ["a", "b", "c"]);
  }));

Deno.test("a silent stream gets keep-alive comments", () =>
  withHub(async (hub) => {
    const reading = new Reading(await hub.open(HERE));
    await reading.until(": keep-alive\n\n: keep-alive\n\n");
    assert.equal(reading.text, "retry: 3000\n\n: keep-alive\n\n: keep-alive\n\n");
  }, { keepAliveMs: 5 }));

Deno.test("a client that does not read is dropped, and the others get every event", () => {
  let dropped = 0;
  return withHub(async (hub, announce) => {
    const stuck = await hub.open(HERE);
    const reading = new Reading(await hub.open(HERE));
    for (let index = 0; index < 50; index++) {
      announce(eventOf(`event-${index}.`, HERE, "x".repeat(1000)));
      await reading.until(`id: event-${index}.`);
    }
    assert.equal((await reading.until("id: event-49.")).length, 50);
    assert.equal(hub.clients(), 1);
    assert.equal(dropped, 1, "whoever counts is told");
    let bytes = 0;
    for await (const chunk of stuck) bytes += chunk.length;
    assert.ok(bytes < 10_000 + 2000, `${bytes} bytes were kept for it`);
  }, { maxUnreadBytes: 10_000, tickMs: 0, onDropped: () => dropped++ });
});

Deno.test("a client that goes away is forgotten", () =>
  withHub(async (hub, announce) => {
    const first = new Reading(await hub.open(HERE));
    const second = new Reading(await hub.open(HERE));
    await first.cancel();
    assert.equal(hub.clients(), 1);
    announce(eventOf("a"));
    assert.deepEqual(await second.until("id: a"), ["a"]);
  }));

Deno.test("the first event after a pause comes at once, and those of a tick after it as one chunk", () =>
  withHub(async (hub, announce) => {
    const reader = (await hub.open(HERE)).getReader();
    const chunk = async () => new TextDecoder().decode((await reader.read()).value);
    assert.match(await chunk(), /^retry: /);
    announce(eventOf("a"));
    assert.match(await chunk(), /^id: a\n/);
    announce(eventOf("b"));
    announce(eventOf("c"));
    hub.close();
    assert.match(await chunk(), /^id: b\n.*\n\nid: c\n/);
    assert.equal((await reader.read()).done, true);
  }, { tickMs: 60_000 }));

Deno.test("closing the hub sends what waits and ends the streams", () =>
  withHub(async (hub, announce) => {
    const reading = new Reading(await hub.open(HERE));
    announce(eventOf("a"));
    hub.close();
    assert.deepEqual(await reading.until("never"), ["a"]);
    assert.equal(hub.clients(), 0);
  }, { tickMs: 60_000 }));

/** The live events of one of two processes: what the other one announces is told of when the test says so, or is lost. */
class TwoProcesses implements Live {
  readonly listeners = new LiveListeners();

  announce(events: readonly SerializedEvent[]): void {
    this.listeners.tell(events);
  }

  subscribe(listener: Listener): Promise<() => void> {
    return Promise.resolve(this.listeners.add(listener));
  }

  tell(events: readonly SerializedEvent[], told: Partial<Told> = {}): void {
    this.listeners.tell(events, { by: "other", afterGap: false, ...told });
  }
}

Deno.test("the hub listens only while it has clients", async () => {
  const live = new TwoProcesses();
  const hub = createHub(live);
  assert.equal(live.listeners.size, 0);
  const reading = new Reading(await hub.open(HERE));
  assert.equal(live.listeners.size, 1);
  await reading.cancel();
  await Promise.resolve();
  assert.equal(live.listeners.size, 0);
  const again = new Reading(await hub.open(HERE));
  live.announce([eventOf("a")]);
  await again.until("id: a");
  hub.close();
});

/** A journal of which each look at what others wrote ends when `ended` does. */
function slowlyFollowed(journal: Journal, ended: () => Promise<void>): Journal {
  return {
    ...journal,
    async follow(workspaceId) {
      const follow = await journal.follow(workspaceId);
      return async function* (isKnown) {
        yield* follow(isKnown);
        await ended();
      };
    },
  };
}

async function withJournal(
  run: (
    parts: {
      hub: Hub;
      accept: (...events: SerializedEvent[]) => Promise<void>;
      /** Of this process, and of another on the same store. */
      journal: Journal;
      others: Journal;
      /** Has this process told of what another one published. */
      tell: TwoProcesses["tell"];
    },
  ) => Promise<void>,
  { wrap = (journal) => journal, keptEvents = 10_000, othersSealer, ...options }: Parameters<typeof createHub>[1] & {
    wrap?: (journal: Journal) => Journal;
    keptEvents?: number;
    othersSealer?: Sealer;
  } = {},
): Promise<void> {
  using kv = await Deno.openKv(":memory:");
  const sealer = await createSealer(new Uint8Array(32));
  const retention = { ageMs: 86_400_000, count: keptEvents };
  const open = (sealer: Sealer) => {
    return journalStore(kv, { sealer, retention, dedupeWindowMs: 0, now: () => new Date() });
  };
  const [journal, others] = [open(sealer), open(othersSealer ?? sealer)];
  const live = new TwoProcesses();
  const hub = createHub(live, { journal: wrap(journal), maxUnreadBytes: 5000, ...options });
  const accept = async (...events: SerializedEvent[]) => {
    await journal.append(events);
    live.announce(events);
  };
  await run({ hub, accept, journal, others, tell: (events, told) => live.tell(events, told) });
  hub.close();
  await Promise.all([journal.idle(), others.idle()]);
}

Deno.test("a stream resumes exactly after the last event that its client has, then goes on live", () =>
  withJournal(async ({ hub, accept }) => {
    const events = Array.from({ length: 300 }, (_, index) => eventOf(`e${index}.`));
    await accept(...events, eventOf("x", ELSEWHERE));
    const reading = new Reading(await hub.open(HERE, { lastEventId: "e99." }));
    await accept(eventOf("live."), eventOf("y", ELSEWHERE));
    const ids = await reading.until("id: live.");
    assert.deepEqual(ids, [...Array.from({ length: 200 }, (_, index) => `e${index + 100}.`), "live."]);
    assert.ok(!reading.text.includes("event: gap"));
  }));

Deno.test("events that come while a stream resumes are on it once, after what was missed", () =>
  withJournal(async ({ hub, accept }) => {
    await accept(...Array.from({ length: 100 }, (_, index) => eventOf(`e${index}.`)));
    const opening = hub.open(HERE, { lastEventId: "e0." });
    const meanwhile = Array.from({ length: 50 }, (_, index) => eventOf(`m${index}.`));
    const accepting = (async () => {
      for (const event of meanwhile) await accept(event);
    })();
    const reading = new Reading(await opening);
    await accepting;
    await accept(eventOf("last."));
    const ids = await reading.until("id: last.");
    assert.equal(new Set(ids).size, ids.length, "none twice");
    assert.equal(ids.length, 99 + 50 + 1);
    assert.deepEqual(ids.slice(0, 99), Array.from({ length: 99 }, (_, index) => `e${index + 1}.`));
  }));

Deno.test("however much comes while a stream resumes, it is on it once, in order", () =>
  withJournal(async ({ hub, journal, accept }) => {
    // More than is read of the journal at once, and more than waits for a client that does not read.
    const before = Array.from({ length: 20 }, (_, index) => eventOf(`e${index}.`, HERE, "x".repeat(1000)));
    for (const event of before) await journal.append([event]);
    const reading = new Reading(await hub.open(HERE, { lastEventId: "e0." }));
    const live = new Reading(await hub.open(HERE));
    const meanwhile = Array.from({ length: 2100 }, (_, index) => eventOf(`m${index}.`));
    await accept(...meanwhile);
    await live.until("id: m2099.");
    await reading.until("id: m2099.");
    await accept(eventOf("last."));
    const ids = [...before.slice(1), ...meanwhile].map(({ event }) => event.id);
    assert.deepEqual(await reading.until("id: last."), [...ids, "last."]);
  }));

Deno.test("an event that a stream has resumed with is not on it again when it is told of only then", () =>
  withJournal(async ({ hub, others, tell }) => {
    await others.append([eventOf("had."), eventOf("missed.")]);
    const reading = new Reading(await hub.open(HERE, { lastEventId: "had." }));
    assert.deepEqual(await reading.until("id: missed."), ["missed."]);
    await others.append([eventOf("new.")]);
    tell([eventOf("missed."), eventOf("new.")]);
    assert.deepEqual(await reading.until("id: new."), ["missed.", "new."]);
  }));

Deno.test("a client that resumes so slowly that events are gone before it comes to them is told so", () =>
  withJournal(async ({ hub, journal, accept }) => {
    const before = Array.from({ length: 20 }, (_, index) => eventOf(`e${index}.`, HERE, "x".repeat(2000)));
    for (const event of before) await journal.append([event]);
    const reading = new Reading(await hub.open(HERE, { lastEventId: "e0." }));
    await reading.until("id: e1.");
    const shown = new Reading(await hub.open(HERE)).until("id: m99.");
    for (let index = 0; index < 100; index++) await accept(eventOf(`m${index}.`));
    await Promise.all([shown, journal.idle()]);
    const ids = await reading.until("id: m99.");
    const missing = ids.indexOf("m0.") + 1;
    assert.ok(missing > 1 && missing < 20, `e${missing}. and others are missing`);
    assert.match(reading.text, new RegExp(`id: e${missing - 1}\\.\n.*\n\nevent: gap\ndata: \\{\\}\n\nid: m0\\.`));
    assert.deepEqual(ids.slice(missing - 1), Array.from({ length: 100 }, (_, index) => `m${index}.`));
  }, { keptEvents: 20 }));

Deno.test("of a stream that is left while it resumes, nothing more is read", () => {
  let read = 0;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  return withJournal(async ({ journal, accept }) => {
    const counting: Journal = {
      ...journal,
      async *after(workspaceId, eventId) {
        try {
          for await (const event of journal.after(workspaceId, eventId)) {
            read++;
            yield event;
          }
        } finally {
          resolve();
        }
      },
    };
    await accept(...Array.from({ length: 50 }, (_, index) => eventOf(`e${index}.`, HERE, "x".repeat(1000))));
    const hub = createHub(embeddedExchange().live, { journal: counting, maxUnreadBytes: 5000 });
    const reading = new Reading(await hub.open(HERE, { lastEventId: "e0." }));
    await reading.until("id: e1.");
    await reading.cancel();
    await ended;
    assert.ok(read < 20, `${read} events were read`);
  });
});

Deno.test("a stream that cannot resume says so, then gives what there is", () =>
  withJournal(async ({ hub, accept }) => {
    await accept(eventOf("a."), eventOf("b."));
    const reading = new Reading(await hub.open(HERE, { lastEventId: "gone" }));
    assert.deepEqual(await reading.until("id: b."), ["a.", "b."]);
    assert.match(reading.text, /^retry: 3000\n\nevent: gap\ndata: \{\}\n\nid: a\./);
    const other = new Reading(await hub.open(ELSEWHERE, { lastEventId: "a." }));
    await other.until("event: gap");
    assert.ok(!other.text.includes("id: "), "another workspace's event is not known here");
  }));

Deno.test("a client that goes away while its stream resumes is forgotten", () =>
  withJournal(async ({ hub, accept }) => {
    await accept(...Array.from({ length: 500 }, (_, index) => eventOf(`e${index}.`)));
    const reading = new Reading(await hub.open(HERE, { lastEventId: "e0." }));
    await reading.until("id: e1.");
    await reading.cancel();
    assert.equal(hub.clients(), 0);
  }));

Deno.test("what another process could not tell of is on a stream with the next look, once", () =>
  withJournal(async ({ hub, accept, others }) => {
    await others.append([eventOf("before.")]);
    const reading = new Reading(await hub.open(HERE));
    await accept(eventOf("own."), eventOf("told."));
    await others.append([eventOf("told."), eventOf("lost-1."), eventOf("x", ELSEWHERE), eventOf("lost-2.")]);
    await reading.until("id: lost-2.");
    await others.append([eventOf("lost-3.")]);
    assert.deepEqual(await reading.until("id: lost-3."), ["own.", "told.", "lost-1.", "lost-2.", "lost-3."]);
  }, { lookMs: 1 }));

/** Nothing is found by looking from time to time: who reads a stream would wait for ever. */
const NEVER_LOOKS = { lookMs: 2 ** 30 };

/** Opens a stream at a process that another one, whose event `known.` it has shown, goes on telling of events. */
async function openWhole(
  { hub, others, tell }: Pick<Parameters<Parameters<typeof withJournal>[0]>[0], "hub" | "others" | "tell">,
) {
  const reading = new Reading(await hub.open(HERE));
  await others.append([eventOf("known.")]);
  tell([eventOf("known.")]);
  await reading.until("id: known.");
  return reading;
}

Deno.test("an event is not on a stream before one of the same process that nobody told of: who resumes has both", () =>
  withJournal(async (process) => {
    const { hub, others, tell } = process;
    const reading = await openWhole(process);
    await others.append([eventOf("lost."), eventOf("told."), eventOf("next.")]);
    tell([eventOf("told."), eventOf("next.")], { afterGap: true });
    assert.deepEqual(await reading.until("id: next."), ["known.", "lost.", "told.", "next."]);
    await others.append([eventOf("last.")]);
    tell([eventOf("last.")]);
    assert.deepEqual(await reading.until("id: last."), ["known.", "lost.", "told.", "next.", "last."]);
    const resumed = new Reading(await hub.open(HERE, { lastEventId: "told." }));
    assert.deepEqual(await resumed.until("id: last."), ["next.", "last."]);
  }, NEVER_LOOKS));

/** Has each look at the journal but the first wait for `ended`, after it has shown what it found. */
function slowAfterFirst(ended: Promise<void>) {
  let looks = 0;
  return (journal: Journal) => slowlyFollowed(journal, async () => ++looks > 1 ? await ended : undefined);
}

Deno.test("what comes after a second gap waits for a second look, and this process's own events for none", () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  return withJournal(async (process) => {
    const { accept, others, tell } = process;
    const reading = await openWhole(process);
    await others.append([eventOf("lost-1."), eventOf("first.")]);
    tell([eventOf("first.")], { afterGap: true });
    assert.deepEqual(await reading.until("id: first."), ["known.", "lost-1.", "first."]);
    await others.append([eventOf("lost-2."), eventOf("second.")]);
    tell([eventOf("second.")], { afterGap: true });
    await accept(eventOf("own."));
    assert.deepEqual((await reading.until("id: own.")).slice(3), ["own."]);
    end();
    assert.deepEqual((await reading.until("id: second.")).slice(4), ["lost-2.", "second."]);
  }, { ...NEVER_LOOKS, wrap: slowAfterFirst(ended) });
});

Deno.test("what one process left out keeps no other process's events waiting", () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  return withJournal(async (process) => {
    const { tell } = process;
    const reading = await openWhole(process);
    tell([eventOf("waits.")], { by: "another", afterGap: true });
    tell([eventOf("goes on.")]);
    assert.deepEqual(await reading.until("id: goes on."), ["known.", "goes on."]);
    end();
    assert.deepEqual(await reading.until("id: waits."), ["known.", "goes on.", "waits."]);
  }, { ...NEVER_LOOKS, wrap: slowAfterFirst(ended) });
});

Deno.test("what waits while the journal cannot be read is not shown ahead of what is missing", () => {
  let fails = 0;
  return withJournal(async (process) => {
    const { others, tell } = process;
    const reading = await openWhole(process);
    fails = 3;
    await others.append([eventOf("lost."), eventOf("told.")]);
    tell([eventOf("told.")], { afterGap: true });
    assert.deepEqual(await reading.until("id: told."), ["known.", "lost.", "told."]);
    assert.ok(fails < 1, "it could not be read at first");
  }, {
    ...NEVER_LOOKS,
    wrap: (journal) => ({
      ...journal,
      async follow(workspaceId) {
        const follow = await journal.follow(workspaceId);
        return async function* (isKnown) {
          if (fails-- > 0) throw new Error("database is locked");
          yield* follow(isKnown);
        };
      },
    }),
  });
});

Deno.test("an event is shown also where this process has not the key yet that its process seals with", async () => {
  const renewed = await createSealer(new Uint8Array(32).fill(1), [new Uint8Array(32)]);
  await withJournal(async ({ hub, others, tell }) => {
    const reading = new Reading(await hub.open(HERE));
    await others.append([eventOf("a.")]);
    tell([eventOf("a.")]);
    assert.deepEqual(await reading.until("id: a."), ["a."]);
  }, { ...NEVER_LOOKS, othersSealer: renewed });
});

Deno.test("an event that its process could not write is shown when the journal was looked at", () =>
  withJournal(async ({ hub, tell }) => {
    const reading = new Reading(await hub.open(HERE));
    tell([eventOf("a."), eventOf("b.")], { afterGap: true });
    tell([eventOf("c.")]);
    assert.deepEqual(await reading.until("id: c."), ["a.", "b.", "c."]);
  }, NEVER_LOOKS));

Deno.test("without a journal events are shown as they are told of", () =>
  withJournal(async ({ hub, tell }) => {
    const reading = new Reading(await hub.open(HERE));
    tell([eventOf("a.")], { afterGap: true });
    assert.deepEqual(await reading.until("id: a."), ["a."]);
  }, { ...NEVER_LOOKS, journal: undefined }));

Deno.test("streams that end while events wait end at once", () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  return withJournal(async (process) => {
    const { hub, tell } = process;
    const reading = await openWhole(process);
    tell([eventOf("a.")]);
    tell([eventOf("b.")], { afterGap: true });
    tell([eventOf("c.")], { by: "another" });
    hub.close();
    assert.deepEqual(await reading.until("never: it ends"), ["known.", "a."]);
    end();
  }, { ...NEVER_LOOKS, wrap: slowAfterFirst(ended) });
});

Deno.test("a stream ends with the session that opened it, whoever ended that", async () => {
  const sessions = new Set(["kept", "ended"]);
  await withHub(async (hub) => {
    const [program, kept, ended] = [
      new Reading(await hub.open(HERE)),
      new Reading(await hub.open(HERE, { sessionHash: "kept" })),
      new Reading(await hub.open(HERE, { sessionHash: "ended" })),
    ];
    sessions.delete("ended");
    await ended.until("never: it ends");
    assert.equal(hub.clients(), 2);
    await Promise.all([program.cancel(), kept.cancel()]);
  }, { lookMs: 1, hasSession: (hash) => Promise.resolve(sessions.has(hash)) });
});

Deno.test("a stream ends when its API key is gone, and all of a workspace's when that is, whoever did it", async () => {
  const keys = new Set(["kept", "revoked"]);
  const there = new Map([[HERE, keys], [ELSEWHERE, keys]]);
  await withHub(async (hub) => {
    const opened = async (keyId?: string, workspaceId = HERE) => new Reading(await hub.open(workspaceId, { keyId }));
    const [admin, kept, revoked] = [await opened(), await opened("kept"), await opened("revoked")];
    const other = await opened("kept", ELSEWHERE);
    keys.delete("revoked");
    await revoked.until("never: it ends");
    assert.equal(hub.clients(), 3);
    there.delete(HERE);
    await Promise.all([admin.until("never: it ends"), kept.until("never: it ends")]);
    assert.equal(hub.clients(), 1);
    await other.cancel();
  }, { lookMs: 1, keysOf: (workspaceId) => Promise.resolve(there.get(workspaceId)) });
});
