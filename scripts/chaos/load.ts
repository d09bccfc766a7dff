import { z } from "zod";
import { numberedDelivery } from "../../tests/support/lanes.ts";
import type { Clock, Ledger } from "./ledger.ts";

/** Where a lane sends to. */
export interface Target {
  readonly webhookUrl: string;
  readonly workspaceId: string;
}

/** What {@link Load} works with. */
export interface LoadOptions {
  /** Lanes take turns at them. */
  readonly targets: readonly Target[];
  /** Senders side by side, each with a connection. */
  readonly lanes: number;
  /** Deliveries a second, of all lanes together, while each is answered in time. */
  readonly perSecond: number;
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/** GitHub gives up on a delivery after ten seconds. */
const PATIENCE_MS = 10_000;
/** How long a sender waits before it sends again what was not accepted. */
const AGAIN_MS = 50;

const answerSchema = z.object({
  published: z.int(),
  queued: z.int().default(0),
  duplicate: z.boolean().default(false),
});

/**
 * Signed deliveries at a steady rate. Each lane sends its next delivery when the last was accepted, and what was not
 * accepted again under the same id, as a source does.
 */
export class Load {
  /** How often which status came; 0: no answer. */
  readonly statuses = new Map<number, number>();
  readonly #options: LoadOptions;
  readonly #running: Promise<unknown>;
  #onAccepted: (lane: number) => void = () => {};
  #paused: PromiseWithResolvers<void> | undefined;
  #stopped = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#running = Promise.all(Array.from({ length: options.lanes }, (_, lane) => this.#run(lane)));
  }

  /** From now on notes how long each lane waits for its next success, in milliseconds, by lane. */
  noteSuccesses(): ReadonlyMap<number, number> {
    const { clock } = this.#options;
    const start = clock();
    const took = new Map<number, number>();
    this.#onAccepted = (lane) => {
      if (!took.has(lane)) took.set(lane, clock() - start);
    };
    return took;
  }

  /** Lets no lane begin a delivery until {@link resume}. */
  hold(): void {
    this.#paused ??= Promise.withResolvers();
  }

  /** Lets the lanes go on. */
  resume(): void {
    this.#paused?.resolve();
    this.#paused = undefined;
  }

  /** Begins no further delivery, gives up those that are not accepted, and resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.resume();
    await this.#running;
  }

  async #run(lane: number): Promise<void> {
    const { targets, lanes, perSecond, ledger, clock } = this.#options;
    const target = targets[lane % targets.length];
    if (target === undefined) return;
    const everyMs = lanes * 1000 / perSecond;
    await pause(everyMs * lane / lanes);
    for (let number = 0; !this.#stopped; number++) {
      await this.#paused?.promise;
      const startedAt = clock();
      const name = `${lane}/${number}`;
      ledger.send(name, target.workspaceId);
      while (!await this.#accepted(target.webhookUrl, lane, number)) {
        if (this.#stopped) return;
        await pause(AGAIN_MS);
      }
      ledger.accept(name);
      this.#onAccepted(lane);
      await pause(Math.max(0, everyMs - (clock() - startedAt)));
    }
  }

  async #accepted(url: string, lane: number, number: number): Promise<boolean> {
    const { status, accepted } = await answer(url, numberedDelivery(lane, number));
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    return accepted;
  }
}

/** No answer, half an answer and one that promises nothing are no success. */
async function answer(url: string, delivery: RequestInit): Promise<{ status: number; accepted: boolean }> {
  try {
    const response = await fetch(url, { ...delivery, signal: AbortSignal.timeout(PATIENCE_MS) });
    const { status } = response;
    const body: unknown = await response.json();
    if (!response.ok) return { status, accepted: false };
    const { published, queued, duplicate } = answerSchema.parse(body);
    return { status, accepted: duplicate || published + queued > 0 };
  } catch {
    return { status: 0, accepted: false };
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
