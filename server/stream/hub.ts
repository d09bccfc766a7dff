import { getLogger } from "@logtape/logtape";
import type { Exchange, SerializedEvent } from "../deps.ts";
import { SSE_KEEP_ALIVE, sseMessage, sseRetry } from "./sse.ts";

/** What a hub can be told; the defaults are the service's. */
export interface HubOptions {
  /** Events of this long reach a client as one chunk. */
  readonly tickMs?: number;
  readonly keepAliveMs?: number;
  /** How long clients wait before they connect again. */
  readonly retryMs?: number;
  /** A client that has left this much unread is dropped. */
  readonly maxUnreadBytes?: number;
}

/** The live streams of a process. */
export interface Hub {
  /**
   * Opens a stream of one workspace's events, as Server-Sent Events. Resolves when every event published from then on,
   * by whatever process, will be on it.
   */
  open(workspaceId: string): Promise<ReadableStream<Uint8Array>>;
  /** How many clients are connected. */
  clients(): number;
  /** Ends all streams; clients connect again on their own. */
  close(): void;
}

type Client = ReadableStreamDefaultController<Uint8Array>;

interface Channel {
  readonly clients: Set<Client>;
  /** Messages since the last tick. */
  pending: string;
}

/** How many ids back a repeat of an event is recognized. */
const REMEMBERED_IDS = 10_000;

const log = getLogger(["inlet", "stream"]);

/**
 * Makes the hub that fans the exchange's events out to the clients of `GET /events/stream`. A message is encoded once
 * for all clients, and each client gets one chunk per tick. It listens to the exchange only while it has clients.
 */
export function createHub(exchange: Exchange, options: HubOptions = {}): Hub {
  const { tickMs = 10, keepAliveMs = 15_000, retryMs = 3000, maxUnreadBytes = 1024 * 1024 } = options;
  const encoder = new TextEncoder();
  const channels = new Map<string, Channel>();
  const seen = new Set<string>();
  let tick: ReturnType<typeof setTimeout> | undefined;
  let keepAlive: ReturnType<typeof setInterval> | undefined;
  let subscription: Promise<() => void> | undefined;

  function receive(events: readonly SerializedEvent[]): void {
    for (const { event, json } of events) {
      const channel = channels.get(event.workspaceId);
      if (channel === undefined || repeated(event.id)) continue;
      channel.pending += sseMessage(event.id, json);
      tick ??= setTimeout(flush, tickMs);
    }
  }

  /** A delivery that is sent again after a lost answer is published again, with the same ids. */
  function repeated(id: string): boolean {
    if (seen.has(id)) return true;
    seen.add(id);
    if (seen.size > REMEMBERED_IDS) { for (const oldest of seen.values().take(1)) seen.delete(oldest); }
    return false;
  }

  function flush(): void {
    tick = undefined;
    for (const [workspaceId, channel] of channels) {
      if (channel.pending === "") continue;
      const chunk = encoder.encode(channel.pending);
      channel.pending = "";
      for (const client of channel.clients) send(workspaceId, client, chunk);
    }
  }

  function send(workspaceId: string, client: Client, chunk: Uint8Array): void {
    if ((client.desiredSize ?? 0) > 0) return client.enqueue(chunk);
    log.warning("dropped a live stream of workspace {workspaceId}: its client does not read", { workspaceId });
    leave(workspaceId, client);
    client.close();
  }

  function leave(workspaceId: string, client: Client): void {
    const channel = channels.get(workspaceId);
    channel?.clients.delete(client);
    if (channel?.clients.size === 0) channels.delete(workspaceId);
    if (channels.size > 0) return;
    clearInterval(keepAlive);
    keepAlive = undefined;
    seen.clear();
    subscription?.then((unsubscribe) => unsubscribe());
    subscription = undefined;
  }

  function join(workspaceId: string, client: Client): void {
    const channel = channels.get(workspaceId) ?? { clients: new Set(), pending: "" };
    channels.set(workspaceId, channel);
    channel.clients.add(client);
    keepAlive ??= setInterval(() => {
      const chunk = encoder.encode(SSE_KEEP_ALIVE);
      for (const [id, { clients }] of channels) for (const each of clients) send(id, each, chunk);
    }, keepAliveMs);
  }

  return {
    async open(workspaceId): Promise<ReadableStream<Uint8Array>> {
      let joined: Client | undefined;
      const strategy = new ByteLengthQueuingStrategy({ highWaterMark: maxUnreadBytes });
      const stream = new ReadableStream<Uint8Array>({
        start(client) {
          joined = client;
          join(workspaceId, client);
          client.enqueue(encoder.encode(sseRetry(retryMs)));
        },
        cancel() {
          if (joined !== undefined) leave(workspaceId, joined);
        },
      }, strategy);
      subscription ??= exchange.subscribe(receive);
      await subscription;
      return stream;
    },
    clients: () => channels.values().reduce((sum, { clients }) => sum + clients.size, 0),
    close() {
      clearTimeout(tick);
      flush();
      for (const [workspaceId, { clients }] of channels) {
        for (const client of clients) {
          leave(workspaceId, client);
          client.close();
        }
      }
    },
  };
}
