/**
 * Run before the service (`deno run --preload`): each SIGUSR2 sets the time of day that its code sees to the next of
 * {@link SHIFTS_MS} off the machine's. SQLite below it, and the timers, which follow a clock that is never set, do not see
 * that.
 *
 * @module
 */

/** An hour ahead, an hour behind, and right again. */
const SHIFTS_MS = [3_600_000, -3_600_000, 0] as const;

let jumps = 0;
let shiftMs = 0;

globalThis.Date = new Proxy(Date, {
  apply: (real) => new real(real.now() + shiftMs).toString(),
  construct: (real, args, newTarget) =>
    Reflect.construct(real, args.length === 0 ? [real.now() + shiftMs] : args, newTarget),
  get: (real, name, receiver) => name === "now" ? () => real.now() + shiftMs : Reflect.get(real, name, receiver),
});

Deno.addSignalListener("SIGUSR2", () => {
  shiftMs = SHIFTS_MS[jumps++ % SHIFTS_MS.length] ?? 0;
});
