import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { StreamConnection } from "../StreamStatus.tsx";
import type { StreamEvent } from "./event.ts";
import { Feed } from "./feed.ts";
import type { StreamFilter } from "./filter.ts";
import { gatherByFrame } from "./gather.ts";
import { listenTo } from "./listen.ts";
import { rowAfterKey, scrollTo, type Sight } from "./rows.ts";

/** A time of which events are missing, in milliseconds since the epoch. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Before the first row is measured. */
const ROW_HEIGHT = 34;

/** All that a live stream's page shows, and what can be done with it. Nothing happens before {@link start}. */
export class StreamModel {
  readonly #feed: Feed;
  readonly #revision = signal(0);
  #lostAt: number | undefined;

  /** How the connection stands. */
  readonly connection: Signal<StreamConnection> = signal("connecting");
  /** The last time of which events are missing. */
  readonly gap: Signal<Gap | undefined> = signal(undefined);
  /** Whether events wait. */
  readonly paused: Signal<boolean> = signal(false);
  /** The event that is shown whole. */
  readonly open: Signal<StreamEvent | undefined> = signal(undefined);
  /** The event that the keyboard is at. */
  readonly active: Signal<StreamEvent | undefined> = signal(undefined);
  /** Where the list is looked at. */
  readonly sight: Signal<Sight> = signal({ scrollTop: 0, height: 0, rowHeight: ROW_HEIGHT });

  constructor(private readonly url: string, filter: StreamFilter) {
    this.#feed = new Feed(filter);
  }

  /** Changes when the events do. */
  get revision(): ReadonlySignal<number> {
    return this.#revision;
  }

  /** The events to show, the newest last. */
  get events(): readonly StreamEvent[] {
    return this.#revision.value < 0 ? [] : this.#feed.matched;
  }

  /** See {@link Feed.counts}. */
  get counts(): Feed["counts"] {
    return this.#revision.value < 0 ? { came: 0, held: 0, older: 0, waiting: 0 } : this.#feed.counts;
  }

  /** Connects, until the function that it gives is called. */
  start(): () => void {
    const message = gatherByFrame((messages) => this.#changed(this.#feed.add(messages, Date.now())));
    return listenTo(this.url, {
      message,
      connection: (state) => this.#connected(state),
      gap: () => this.#missed(),
    });
  }

  /** Lets events wait, or shows those that waited. */
  togglePause(): void {
    this.paused.value = !this.paused.value;
    if (this.paused.value) this.#feed.pause();
    else this.#changed(this.#feed.resume());
  }

  /** Shows only what matches, from the newest on. */
  filter(filter: StreamFilter): void {
    this.#feed.filter(filter);
    this.look({ scrollTop: 0 });
    this.#changed(0);
  }

  /** Empties the list. */
  clear(): void {
    this.#feed.clear();
    this.gap.value = undefined;
    this.active.value = undefined;
    this.look({ scrollTop: 0 });
    this.#changed(0);
  }

  /** Takes note of where the list is looked at. */
  look(change: Partial<Sight>): void {
    const before = this.sight.value;
    const after = { ...before, ...change };
    const same = before.scrollTop === after.scrollTop && before.height === after.height &&
      before.rowHeight === after.rowHeight;
    if (!same) this.sight.value = after;
  }

  /** Does what a key asks for in the list, and tells whether it asked for anything. */
  press(key: string): boolean {
    const events = this.#feed.matched;
    const active = this.active.value;
    if (key === "Enter" || key === " ") {
      this.open.value = active;
      return active !== undefined;
    }
    const from = active === undefined ? -1 : events.length - 1 - events.lastIndexOf(active);
    const row = rowAfterKey(key, from === events.length ? -1 : from, events.length, this.sight.value);
    if (row === undefined) return false;
    this.active.value = events.at(-1 - row);
    this.look({ scrollTop: scrollTo(row, this.sight.value) });
    return true;
  }

  /** Who looks at older events keeps them in sight while newer ones come. */
  #changed(added: number): void {
    const { scrollTop, rowHeight } = this.sight.value;
    batch(() => {
      if (scrollTop > 0) this.look({ scrollTop: scrollTop + added * rowHeight });
      this.#revision.value++;
    });
  }

  #connected(state: StreamConnection): void {
    if (state !== "live" && this.connection.value === "live") this.#lostAt = Date.now();
    this.connection.value = state;
  }

  /** The stream goes on where it was, unless the service says that it cannot. */
  #missed(): void {
    const now = Date.now();
    this.gap.value = { from: this.#lostAt ?? now, to: now };
  }
}
