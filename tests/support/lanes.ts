import { z } from "zod";
import type { ReceivedMessage } from "./broker.ts";
import { sign } from "./sign.ts";

/** The secret that {@link numberedDelivery} is signed with, as GitHub's. */
export const LANE_SECRET = "a secret shared with GitHub";

const answerSchema = z.object({
  published: z.int().optional(),
  queued: z.int().default(0),
  duplicate: z.boolean().default(false),
});

/** The type of the events that {@link numberedDelivery} becomes. */
export const LANE_EVENT_TYPE = "github.star.created";

/** A signed delivery that becomes one event, whose subject's name is `lane/number`. */
export function numberedDelivery(lane: number, number: number, id = `${lane}-${number}`): RequestInit {
  const body = JSON.stringify({
    action: "created",
    starred_at: "2026-01-02T03:04:05Z",
    repository: { id: 1, full_name: `${lane}/${number}`, private: false, html_url: "https://github.com/acme/rover" },
    sender: { id: 7, login: "mira", type: "User", html_url: "https://github.com/mira" },
  });
  const headers = {
    "content-type": "application/json",
    "x-github-event": "star",
    "x-github-delivery": id,
    "x-hub-signature-256": `sha256=${sign(LANE_SECRET, body)}`,
  };
  return { method: "POST", headers, body };
}

/** Senders side by side, each of which sends its next delivery when the last was answered. */
export class Lanes {
  /** Names of the deliveries that were accepted, in the order in which they were sent, for each lane. */
  readonly accepted: string[][];
  /** How often which status came; 0: no answer. */
  readonly statuses = new Map<number, number>();
  readonly #webhookUrls: readonly string[];
  #stopping = false;
  #running: Promise<unknown>;

  /** With several URLs each lane takes turns at them, as behind a load balancer that knows nothing of who is there. */
  constructor(webhookUrl: string | readonly string[], count: number) {
    this.#webhookUrls = [webhookUrl].flat();
    this.accepted = Array.from({ length: count }, () => []);
    this.#running = Promise.all(this.accepted.map((_, lane) => this.#send(lane)));
  }

  /** Resolves when `count` more deliveries were answered with `status`. */
  async until(status: number, count: number): Promise<void> {
    const target = (this.statuses.get(status) ?? 0) + count;
    while ((this.statuses.get(status) ?? 0) < target) await pause();
  }

  /** Stops sending, and resolves when all is answered. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#running;
  }

  async #send(lane: number): Promise<void> {
    let turn = lane;
    for (let number = 0; !this.#stopping; number++) {
      // As a source does, it sends again what was not accepted.
      while (!await this.#accepted(lane, number, turn++)) {
        if (this.#stopping) return;
        await pause();
      }
      this.accepted[lane]?.push(`${lane}/${number}`);
    }
  }

  async #accepted(lane: number, number: number, turn: number): Promise<boolean> {
    const url = this.#webhookUrls[turn % this.#webhookUrls.length] ?? "";
    const response = await fetch(url, numberedDelivery(lane, number)).catch(() => undefined);
    const status = response?.status ?? 0;
    await response?.body?.cancel();
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    return status === 200 || status === 202;
  }
}

/** Sends a delivery and reads the answer. */
export async function answerOf(
  webhookUrl: string,
  delivery: RequestInit,
): Promise<{ status: number; retryAfter: string | null } & z.output<typeof answerSchema>> {
  const response = await fetch(webhookUrl, delivery);
  const answer = answerSchema.parse(await response.json());
  return { status: response.status, retryAfter: response.headers.get("retry-after"), ...answer };
}

/** The names of the deliveries behind messages, each once, in the order in which they came first. */
export function namesIn(messages: readonly ReceivedMessage[]): string[] {
  const schema = z.object({ subject: z.object({ name: z.string() }) });
  return [...new Set(messages.map(({ text }) => schema.parse(JSON.parse(text)).subject.name))];
}

/** The ids of messages, each once: with more of them than {@link namesIn} gives, a consumer would handle an event twice. */
export function idsIn(messages: readonly ReceivedMessage[]): string[] {
  return [...new Set(messages.map(({ properties }) => properties.messageId))];
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}
