import { Cron } from "croner";
import { z } from "zod";
import { describe, type Described, type Description, type EventDraft, type Settings } from "./connector.ts";
import { PollError } from "./errors.ts";
import { faultsOf } from "./faults.ts";
import { withoutSecrets } from "./secrets.ts";

/** A draft of a polled event: as it has no delivery, its key is what its id is made of. */
export interface PolledDraft extends EventDraft {
  readonly key: string;
}

/** What one call of the source gave. */
export interface Polled<Cursor> {
  readonly drafts: readonly PolledDraft[];
  /** Where the next poll goes on, once these drafts are accepted. Small and JSON-serializable. */
  readonly cursor: Cursor;
  /** Whether the source has more to give at once; default: no. */
  readonly more?: boolean;
}

/** One call of the source. */
export interface PollRequest {
  /** Where the last poll ended, as it gave it; `null` the first time. */
  readonly cursor: unknown;
  readonly now: Date;
  /** Ends the poll: its connections are closed soon after. */
  readonly signal: AbortSignal;
}

/** A poller opened with one workspace's settings. */
export interface Poller {
  /** How long one call may take, in milliseconds. */
  readonly timeoutMs: number;
  /** When the schedule wants the next poll, strictly after `after`; `null` if never again. */
  nextRun(after: Date): Date | null;
  /**
   * Calls the source once. Rejects at the latest when `signal` aborts, whatever the source does.
   *
   * @throws {PollError} if the source could not be asked, or what it said could not be read; no secret is in its message
   */
  poll(request: PollRequest): Promise<Polled<unknown>>;
}

/** A source that we call. Made by {@link definePoller}. */
export interface PollerConnector extends Described {
  readonly type: "poller";
  /**
   * Opens the connector with a workspace's settings.
   *
   * @throws {z.ZodError} if the settings do not fit the schemas
   */
  open(settings: Settings): Poller;
}

/** Everything that makes a poller. */
export interface PollerDefinition<Config extends z.ZodRawShape, Secrets extends z.ZodRawShape, Cursor>
  extends Description<Config, Secrets> {
  /** Shape of the cursor. What was stored by an older version must fit a newer one. */
  readonly cursor: z.ZodType<Cursor>;
  /** How long one call may take, in milliseconds; default one minute. */
  readonly timeoutMs?: number;
  /**
   * Asks the source what happened since `cursor`. The same cursor and the same source give the same keys. A `ZodError` from
   * here becomes a {@link PollError} that says where the answer does not fit.
   */
  poll(request: {
    readonly config: z.output<z.ZodObject<Config>>;
    readonly secrets: z.output<z.ZodObject<Secrets>>;
    /** `null` the first time: events begin now. */
    readonly cursor: Cursor | null;
    readonly now: Date;
    readonly signal: AbortSignal;
  }): Promise<Polled<Cursor>>;
}

const DEFAULT_SCHEDULE = "*/5 * * * *";
const DEFAULT_TIMEOUT_MS = 60_000;
/** An answer that does not fit often does so in every entry. */
const FAULTS_SHOWN = 3;

const scheduleShape = {
  schedule: z.string().default(DEFAULT_SCHEDULE)
    .refine(isSchedule, 'expected a cron expression of five fields, such as "*/5 * * * *"')
    .describe("When to poll: a cron expression of five fields, in UTC"),
} as const;

/** Makes a poller of its definition. Every poller has a `schedule` among its settings. */
export function definePoller<Config extends z.ZodRawShape, Secrets extends z.ZodRawShape, Cursor>(
  definition: PollerDefinition<Config, Secrets, Cursor>,
): PollerConnector {
  const { name, timeoutMs = DEFAULT_TIMEOUT_MS, cursor: cursorSchema } = definition;
  const described = describe(definition, { type: "poller", verification: [], common: scheduleShape });

  function cursorOf(stored: unknown): Cursor | null {
    if (stored === null) return null;
    const parsed = cursorSchema.safeParse(stored);
    if (parsed.success) return parsed.data;
    // Beginning anew would lose what happened since, without a word.
    throw new PollError(
      `Cannot poll ${name}: the stored cursor is not one that this version reads. Upgrade, or start anew, and ` +
        "events begin now",
    );
  }

  return {
    ...described,
    type: "poller",
    open(settings) {
      const { config, secrets } = described.parse(settings);
      const cron = cronOf(z.object(scheduleShape).parse(settings.config).schedule);
      return {
        timeoutMs,
        nextRun: (after) => cron.nextRun(after),
        async poll({ cursor, now, signal }) {
          try {
            const polled = definition.poll({ config, secrets, cursor: cursorOf(cursor), now, signal });
            return await orAborted(polled, signal, `Cannot poll ${name}: it took too long`);
          } catch (error) {
            const said = error instanceof PollError ? error.message : `Cannot poll ${name}: ${reasonOf(error)}`;
            throw new PollError(withoutSecrets(said, secrets));
          }
        },
      };
    },
  };
}

/** Settles with `work`, or rejects when `signal` aborts: a source that hangs does not hold up who waits for it. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal, message: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason instanceof PollError ? signal.reason : new PollError(message));
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const faults = faultsOf(error).slice(0, FAULTS_SHOWN).map(({ pointer, detail }) => `${pointer} ${detail}`.trim());
    return `its answer is not what it documents: ${faults.join(", ")}`;
  }
  return error instanceof Error ? error.message : String(error);
}

function cronOf(schedule: string): Cron {
  return new Cron(schedule, { timezone: "UTC", mode: "5-part", paused: true });
}

function isSchedule(text: string): boolean {
  try {
    cronOf(text);
    return true;
  } catch {
    return false;
  }
}
