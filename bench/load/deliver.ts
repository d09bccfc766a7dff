import { cpuUsage } from "node:process";
import { z } from "zod";
import { deliveriesTo, type Delivery, deliveryIds } from "../deliveries.ts";
import { type Answer, Connection } from "./connection.ts";
import type { LoadJob, LoadResult } from "./jobs.ts";

const countsSchema = z.object({ published: z.int().default(0), queued: z.int().default(0) });

/** What a server says that it did. There are few different answers, so each is parsed once. */
class Tally {
  readonly statuses: Record<string, number> = {};
  published = 0;
  queued = 0;
  readonly #known = new Map<string, z.output<typeof countsSchema>>();

  add({ status, body }: Answer): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    const counts = this.#known.get(body) ?? countsSchema.parse(JSON.parse(body));
    this.#known.set(body, counts);
    this.published += counts.published;
    this.queued += counts.queued;
  }
}

/** Deliveries, each in the hands of one sender at a time. */
export class Deliveries {
  readonly #waiting: Delivery[];
  readonly #nextId = deliveryIds();

  constructor(urls: readonly string[], senders: number) {
    this.#waiting = deliveriesTo(urls, 2 * senders);
  }

  /** Sends one on the connection that `connections` has to its port. */
  async send(connections: ReadonlyMap<number, Connection>): Promise<Answer> {
    const delivery = this.#waiting.shift();
    if (delivery === undefined) throw new Error("Cannot send: all deliveries are under way");
    const connection = connections.get(delivery.port);
    if (connection === undefined) throw new Error(`Cannot send: there is no connection to port ${delivery.port}`);
    const answer = await connection.send(delivery.as(this.#nextId()));
    this.#waiting.push(delivery);
    return answer;
  }
}

/** Opens a connection to the port of each URL. */
export async function connect(urls: readonly string[]): Promise<ReadonlyMap<number, Connection> & Disposable> {
  const connections = new Map<number, Connection>();
  for (const port of new Set(urls.map((url) => Number(new URL(url).port)))) {
    connections.set(port, await Connection.open(port));
  }
  const close = () => connections.forEach((connection) => connection[Symbol.dispose]());
  return Object.assign(connections, { [Symbol.dispose]: close });
}

/**
 * Sends deliveries over `connections` connections to each server, side by side. At a rate, delivery n is to be sent
 * n/`perSecond` seconds after the start; one that finds all connections busy is late, and that counts as its latency.
 */
export async function deliver(job: LoadJob): Promise<LoadResult> {
  const { urls, seconds, most = Infinity, perSecond } = job;
  const deliveries = new Deliveries(urls, job.connections);
  const senders = await Promise.all(Array.from({ length: job.connections }, () => connect(urls)));
  const tally = new Tally();
  const latencies: number[] = [];
  const cpuBefore = cpuUsage();
  const start = performance.now();
  const end = start + seconds * 1000;
  let next = 0;

  async function send(connections: ReadonlyMap<number, Connection>): Promise<void> {
    while (next < most) {
      const now = performance.now();
      const due = perSecond === undefined ? now : start + next * 1000 / perSecond;
      if (due >= end) return;
      next++;
      if (due > now) await new Promise((resolve) => setTimeout(resolve, due - now));
      tally.add(await deliveries.send(connections));
      latencies.push(performance.now() - due);
    }
  }

  try {
    await Promise.all(senders.map(send));
  } finally {
    for (const connections of senders) connections[Symbol.dispose]();
  }
  const took = (performance.now() - start) / 1000;
  const { user, system } = cpuUsage(cpuBefore);
  const { statuses, published, queued } = tally;
  const cpuMs = (user + system) / 1000;
  return { statuses, published, queued, seconds: took, latencyMs: percentiles(latencies), cpuMs };
}

function percentiles(latencies: readonly number[]): LoadResult["latencyMs"] {
  const sorted = Float64Array.from(latencies).sort();
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
