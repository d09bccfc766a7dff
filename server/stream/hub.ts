import { getLogger } from "@logtape/logtape";
import type { Journal, Live, SerializedEvent, Told } from "../deps.ts";
import { BusyError } from "../errors.ts";
import { CatchUp } from "./catch_up.ts";
import { type ShownEvent, StreamClient } from "./client.ts";
import { RecentIds } from "./recent_ids.ts";
import { resume } from "./resume.ts";
import { SSE_KEEP_ALIVE, sseMessage, sseRetry } from "./sse.ts";

/** What a hub can be told; the defaults are the service's. */
export interface HubOptions {
  /**
   * While events keep coming, those of this long reach a client as one chunk; of longer where there are many clients, up to
   * {@link MOST_TICK_MS}. The first one after a pause is not held back.
   */
  readonly tickMs?: number;
  readonly keepAliveMs?: number;
  /** How long clients wait before they connect again. */
  readonly retryMs?: number;
  /** A client that has left this much unread is dropped. */
  readonly maxUnreadBytes?: number;
  /** More than this many clients at once are refused. */
  readonly maxClients?: number;
  /** Where streams resume from, and find what another process could not tell of; left out, each begins with what comes. */
  readonly journal?: Journal | undefined;
  /** The ids of the API keys that a workspace has; `undefined` if it is gone. Left out: streams are not reviewed. */
  readonly keysOf?: (workspaceId: string) => Promise<ReadonlySet<string> | undefined>;
  /** Whether the session with this hash goes on. Left out: all do. */
  readonly hasSession?: (hash: string) => Promise<boolean>;
  /** How often the store is looked at: for events of other processes, for keys that were revoked, and sessions that ended. */
  readonly lookMs?: number;
  /** Told of each client that is dropped because it does not read. */
  readonly onDropped?: () => void;
}

/** By what right a stream is open: when that is gone, by whatever process, the stream ends. */
export interface StreamRight {
  /** The API key that opens it. */
  readonly keyId?: string | undefined;
  /** The hash of the session that opens it. */
  readonly sessionHash?: string | undefined;
}

/** What a stream may be opened with. */
export interface OpenOptions extends StreamRight {
  /** The last event that the client has. */
  readonly lastEventId?: string | undefined;
}

/** The live streams of a process. */
export interface Hub {
  /**
   * Opens a stream of one workspace's events, as Server-Sent Events. Resolves when every event published from then on,
   * by whatever process, will be on it: at once, or if that process could not tell of it, when the store is looked at next.
   * With `lastEventId` it begins with what came after that event; if the journal does not have it any more, with a `gap`
   * and all that the journal has.
   *
   * @throws {BusyError} if as many streams are open as may be
   */
  open(workspaceId: string, options?: OpenOptions): Promise<ReadableStream<Uint8Array>>;
  /** How many clients are connected. */
  clients(): number;
  /** Ends the streams of one workspace; clients connect again on their own, if they still may. */
  endStreams(workspaceId: string): void;
  /** Ends all streams; clients connect again on their own. */
  close(): void;
}

interface Channel {
  readonly clients: Map<StreamClient, StreamRight>;
  /** Events since the last tick. */
  pending: ShownEvent[];
  readonly catchUp: CatchUp;
}

/** What a tick is to be longer for each client: each costs a write for each tick, and these are to leave time for the rest. */
const TICK_MS_PER_CLIENT = 0.5;
/** People take this for at once. */
const MOST_TICK_MS = 100;
/** How many ids back a repeat of an event is recognized: more than come between two looks. */
const REMEMBERED_IDS = 100_000;

const log = getLogger(["inlet", "stream"]);

/**
 * Makes the hub that fans the live events out to the clients of `GET /events/stream`. A message is encoded once for all
 * clients, and each client gets one chunk per tick. It listens only while it has clients.
 */
export function createHub(live: Live, options: HubOptions = {}): Hub {
  const { tickMs = 20, keepAliveMs = 15_000, retryMs = 3000, maxUnreadBytes = 1024 * 1024, journal } = options;
  const { maxClients = Infinity, keysOf, hasSession, lookMs = 5000, onDropped } = options;
  const encoder = new TextEncoder();
  const channels = new Map<string, Channel>();
  const seen = new RecentIds(REMEMBERED_IDS);
  let tick: ReturnType<typeof setTimeout> | undefined;
  let flushedAt = -Infinity;
  let keepAlive: ReturnType<typeof setInterval> | undefined;
  let look: ReturnType<typeof setTimeout> | undefined;
  let subscription: Promise<() => void> | undefined;

  const tickOf = (clients: number) => Math.max(tickMs, Math.min(clients * TICK_MS_PER_CLIENT, MOST_TICK_MS));

  function encode(events: readonly ShownEvent[]): Uint8Array {
    return encoder.encode(events.map(({ event, json }) => sseMessage(event.id, json)).join(""));
  }

  function receive(events: readonly SerializedEvent[], told?: Told): void {
    if (told?.afterGap) { for (const { catchUp } of channels.values()) catchUp.doubt(told.by); }
    for (const event of events) {
      const channel = channels.get(event.event.workspaceId);
      if (channel === undefined || seen.has(event.event.id)) continue;
      if (told === undefined) show(channel, event);
      else channel.catchUp.take(event, told.by);
    }
  }

  function show(channel: Channel, event: ShownEvent): void {
    // A delivery that is sent again after a lost answer is published again, with the same ids.
    if (!seen.add(event.event.id)) return;
    channel.pending.push(event);
    tick ??= setTimeout(flush, Math.max(0, flushedAt + tickOf(clients()) - performance.now()));
  }

  function flush(): void {
    tick = undefined;
    flushedAt = performance.now();
    for (const [workspaceId, channel] of channels) {
      if (channel.pending.length === 0) continue;
      const events = channel.pending;
      channel.pending = [];
      const chunk = encode(events);
      for (const client of channel.clients.keys()) {
        if (!client.send(chunk, events)) drop(workspaceId, client);
      }
    }
  }

  function drop(workspaceId: string, client: StreamClient): void {
    onDropped?.();
    log.warning("dropped a live stream of workspace {workspaceId}: its client does not read", { workspaceId });
    leave(workspaceId, client);
    client.end();
  }

  function leave(workspaceId: string, client: StreamClient): void {
    const channel = channels.get(workspaceId);
    channel?.clients.delete(client);
    if (channel?.clients.size === 0) {
      channel.catchUp.end();
      channels.delete(workspaceId);
    }
    if (channels.size > 0) return;
    clearInterval(keepAlive);
    clearTimeout(look);
    keepAlive = look = undefined;
    seen.clear();
    subscription?.then((unsubscribe) => unsubscribe());
    subscription = undefined;
  }

  function newChannel(workspaceId: string): Channel {
    const isKnown = (eventId: string) => seen.has(eventId);
    const showHere = (event: ShownEvent) => show(channel, event);
    const catchUp = new CatchUp({ journal, workspaceId, isKnown, show: showHere });
    const channel: Channel = { clients: new Map(), pending: [], catchUp };
    return channel;
  }

  function join(workspaceId: string, client: StreamClient, right: StreamRight): Channel {
    const channel = channels.get(workspaceId) ?? newChannel(workspaceId);
    channels.set(workspaceId, channel);
    channel.clients.set(client, right);
    keepAlive ??= setInterval(() => {
      const chunk = encoder.encode(SSE_KEEP_ALIVE);
      for (const [id, { clients }] of channels) {
        for (const each of clients.keys()) if (!each.send(chunk, [])) drop(id, each);
      }
    }, keepAliveMs);
    look ??= setTimeout(lookAll, lookMs);
    return channel;
  }

  function endStreams(workspaceId: string, isOver: (right: StreamRight) => boolean = () => true): void {
    for (const [client, right] of channels.get(workspaceId)?.clients ?? []) {
      if (!isOver(right)) continue;
      leave(workspaceId, client);
      client.end();
    }
  }

  /** Looks at the store for what other processes did, again and again while there are streams. */
  async function lookAll(): Promise<void> {
    const looking = look;
    for (const [workspaceId, { catchUp }] of channels) {
      try {
        await review(workspaceId);
        await catchUp.look();
      } catch (error) {
        // The streams have ended, and the store is closed.
        if (look !== looking) return;
        log.error("cannot look for what other processes did: {error}", { error });
      }
    }
    // Meanwhile all streams may have ended, and others begun.
    if (look === looking && look !== undefined) look = setTimeout(lookAll, lookMs);
  }

  /** Ends the streams of those who may not have them any more. */
  async function review(workspaceId: string): Promise<void> {
    if (keysOf !== undefined) {
      const keys = await keysOf(workspaceId);
      endStreams(workspaceId, ({ keyId }) => keys === undefined || (keyId !== undefined && !keys.has(keyId)));
    }
    if (hasSession === undefined) return;
    const sessions = new Set(channels.get(workspaceId)?.clients.values().map(({ sessionHash }) => sessionHash));
    for (const hash of sessions) {
      if (hash !== undefined && !await hasSession(hash)) endStreams(workspaceId, (right) => right.sessionHash === hash);
    }
  }

  function clients(): number {
    return channels.values().reduce((sum, { clients }) => sum + clients.size, 0);
  }

  return {
    async open(workspaceId, { lastEventId, ...right } = {}): Promise<ReadableStream<Uint8Array>> {
      if (clients() >= maxClients) {
        throw new BusyError(`Cannot open a live stream: ${maxClients} are open, which is the most (MAX_STREAMS)`);
      }
      const client = new StreamClient(maxUnreadBytes, encode, () => leave(workspaceId, client));
      const { catchUp } = join(workspaceId, client, right);
      client.send(encoder.encode(sseRetry(retryMs)), []);
      const resumes = lastEventId !== undefined && journal !== undefined;
      if (resumes) client.hold();
      subscription ??= live.subscribe(receive);
      await Promise.all([subscription, catchUp.begin()]);
      if (resumes) {
        resume(client, { workspaceId, lastEventId, journal }).then(
          () => client.release(),
          (error) => {
            log.error("a live stream cannot resume: {error}", { error });
            drop(workspaceId, client);
          },
        );
      }
      return client.stream;
    },
    endStreams: (workspaceId) => endStreams(workspaceId),
    clients,
    close() {
      clearTimeout(tick);
      flush();
      for (const workspaceId of [...channels.keys()]) endStreams(workspaceId);
    },
  };
}
