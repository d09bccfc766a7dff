import { calendar } from "./mod.ts";
import { type Polled, type PolledDraft } from "../kit/mod.ts";

/** A calendar's text of the lines of its entries. */
export function feedOf(...entries: readonly (readonly string[])[]): string {
  const events = entries.flatMap((lines) => ["BEGIN:VEVENT", "DTSTAMP:20260101T000000Z", ...lines, "END:VEVENT"]);
  return ["BEGIN:VCALENDAR", "VERSION:2.0", "X-WR-CALNAME:Team", ...events, "END:VCALENDAR", ""].join("\r\n");
}

/** Polls one calendar again and again, as the scheduler does, each time with the cursor that the last poll gave. */
export class Polls {
  cursor: unknown = null;
  readonly #poller;

  constructor(config: Record<string, unknown>, secrets: Record<string, unknown> = {}) {
    this.#poller = calendar.open({ config, secrets });
  }

  /** One page, at a time in UTC. */
  async page(now: string): Promise<Polled<unknown>> {
    const signal = AbortSignal.timeout(600_000);
    const polled = await this.#poller.poll({ cursor: this.cursor, now: new Date(now), signal });
    // As it comes back from the store.
    this.cursor = JSON.parse(JSON.stringify(polled.cursor));
    return polled;
  }

  /** All pages. */
  async all(now: string): Promise<PolledDraft[]> {
    const { drafts, more } = await this.page(now);
    return more ? [...drafts, ...await this.all(now)] : [...drafts];
  }

  /** What was told, in short: action, title and time. */
  async told(now: string): Promise<string[]> {
    return (await this.all(now)).map(({ type, subject, occurredAt }) =>
      `${type.split(".")[2]} ${subject.name ?? subject.id} ${occurredAt.toISOString().slice(5, 16)}`
    );
  }
}
