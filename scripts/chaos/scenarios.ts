import {
  blockBroker,
  closeChannel,
  cutConnection,
  cutConnectionMidDrain,
  type Fault,
  fillDisk,
  fillQueue,
  jumpClock,
  killBoth,
  killBroker,
  killServiceIdle,
  killServiceMidDrain,
  killServiceMidPublish,
  killServiceMidSpool,
  silenceBroker,
  stopBroker,
} from "./faults.ts";

/** What is done to a service under load. Of each is expected that nothing accepted is lost, and that its order holds. */
export interface Scenario {
  readonly name: string;
  /** What happens, in words. */
  readonly does: string;
  readonly harm: Fault;
  /** Statuses that are to be seen, or the fault was none. */
  readonly sees: readonly number[];
  /** Whether the service may answer 503: it can neither publish nor store. */
  readonly mayRefuse?: true;
  /** Needs a disk of its own for the store that can be filled. */
  readonly smallDisk?: true;
}

/** Every scenario but the mixed run. */
export const scenarios: readonly Scenario[] = [
  { name: "no-fault", does: "ten seconds of load", harm: (rig) => rig.wait(10_000), sees: [200] },
  { name: "broker-killed", does: "the broker is killed and restarted", harm: killBroker, sees: [200, 202] },
  { name: "broker-stopped", does: "the broker stops for 30 s", harm: stopBroker, sees: [200, 202] },
  { name: "broker-silent", does: "no confirm arrives for 10 s", harm: silenceBroker, sees: [200, 202] },
  { name: "broker-blocked", does: "a memory alarm for 10 s", harm: blockBroker, sees: [200, 202] },
  { name: "connection-cut", does: "the connection is cut five times", harm: cutConnection, sees: [200, 202] },
  { name: "channel-closed", does: "the broker closes the channel three times", harm: closeChannel, sees: [200, 202] },
  { name: "queue-full", does: "the queue refuses messages for 10 s", harm: fillQueue, sees: [200, 202] },
  { name: "process-killed-idle", does: "kill -9 with nothing under way", harm: killServiceIdle, sees: [200] },
  {
    name: "process-killed-mid-publish",
    does: "kill -9 while confirms are waited for",
    harm: killServiceMidPublish,
    sees: [0, 200],
  },
  {
    name: "process-killed-mid-spool",
    does: "kill -9 while deliveries are spooled, twice",
    harm: killServiceMidSpool,
    sees: [0, 200, 202],
  },
  {
    name: "process-killed-mid-drain",
    does: "kill -9 while the spool is emptied",
    harm: killServiceMidDrain,
    sees: [0, 200, 202],
  },
  {
    name: "connection-cut-mid-drain",
    does: "the connection is cut while the spool is emptied",
    harm: cutConnectionMidDrain,
    sees: [200, 202],
  },
  {
    name: "both-killed",
    does: "kill -9 of broker and process at once",
    harm: killBoth,
    sees: [0, 200, 202],
  },
  {
    name: "disk-full",
    does: "no room on the store's disk, without a broker",
    harm: fillDisk,
    sees: [200, 202, 503],
    mayRefuse: true,
    smallDisk: true,
  },
  { name: "clock-jump", does: "the clock goes 1 h ahead, 2 h back, and right", harm: jumpClock, sees: [200, 202] },
];

/** What the mixed run chooses from. */
const MIXED: readonly (readonly [name: string, fault: Fault])[] = scenarios
  .filter(({ name, smallDisk }) => name !== "no-fault" && !smallDisk)
  .map(({ name, harm }) => [name, harm]);

/** A step of a mixed run. */
export interface Step {
  readonly fault: string;
  readonly harm: Fault;
  /** How long the load goes on in peace before it, in milliseconds. */
  readonly quietMs: number;
}

/** The steps of the mixed run of a seed, without end: the same for the same seed. */
export function* stepsOf(seed: number): Generator<Step, never> {
  const random = randomOf(seed);
  for (;;) {
    const [fault, harm] = MIXED[Math.floor(random() * MIXED.length)] ?? ["none", () => Promise.resolve()];
    yield { fault, harm, quietMs: Math.floor(random() * 3000) };
  }
}

/** The mixed run: faults one after another without waiting for the last to be overcome. */
export function mixed(
  { seed, minutes, onStep }: { seed: number; minutes: number; onStep: (step: Step) => void },
): Scenario {
  return {
    name: "mixed",
    does: `${minutes} minutes of faults by seed ${seed}`,
    sees: [200],
    async harm(rig) {
      const until = performance.now() + minutes * 60_000;
      for (const step of stepsOf(seed)) {
        if (performance.now() >= until) return;
        await rig.wait(step.quietMs);
        onStep(step);
        await step.harm(rig);
      }
    },
  };
}

/** Numbers in [0, 1) by a seed: mulberry32, which is in the public domain. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) / 4_294_967_296;
  };
}
