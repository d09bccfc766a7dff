import { BusyError } from "../errors.ts";
import { LARGE_BODIES_PART } from "../limits.ts";

/** What one body takes of the memory of all. To be disposed of when its request is answered. */
export interface BodyRoom extends Disposable {
  /**
   * Takes bytes as they arrive: a declared length alone costs its sender nothing, and must not cost others.
   *
   * @throws {BusyError} if there is no room; nothing was taken then
   */
  take(bytes: number, isLarge: boolean): void;
}

/** The memory that all bodies which are read and worked on at once take together: bounded, whoever sends them. */
export class BodyMemory {
  #taken = 0;
  #takenByLarge = 0;

  constructor(private readonly mostBytes: number) {}

  /** How many bytes are taken. */
  get takenBytes(): number {
    return this.#taken;
  }

  /** Begins a body. */
  room(): BodyRoom {
    let held = 0;
    let heldAsLarge = 0;
    return {
      take: (bytes, isLarge) => {
        const asLarge = isLarge ? held + bytes - heldAsLarge : 0;
        const full = this.#taken + bytes > this.mostBytes ||
          (isLarge && this.#takenByLarge + asLarge > this.mostBytes * LARGE_BODIES_PART);
        if (full) throw new BusyError("Cannot take the request: too many bodies are under way; send it again later");
        held += bytes;
        heldAsLarge += asLarge;
        this.#taken += bytes;
        this.#takenByLarge += asLarge;
      },
      [Symbol.dispose]: () => {
        this.#taken -= held;
        this.#takenByLarge -= heldAsLarge;
        held = heldAsLarge = 0;
      },
    };
  }
}
