interface Waiting {
  readonly at: number;
  readonly onLate: () => void;
}

/** Those that wait for equally long, in the order of their deadlines. */
interface Lane {
  readonly waiting: Set<Waiting>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const lanes = new Map<number, Lane>();

/**
 * Calls `onLate` after `timeoutMs`, unless what it gives is called before: `setTimeout` for what nearly always comes in time,
 * and comes often. Those that wait for equally long at a time share a timer: one of its own for each delivery costs more
 * than much that is done with it.
 */
export function deadline(timeoutMs: number, onLate: () => void): () => void {
  const lane = lanes.get(timeoutMs) ?? { waiting: new Set(), timer: undefined };
  const own = { at: performance.now() + timeoutMs, onLate };
  lane.waiting.add(own);
  lane.timer ??= setTimeout(() => ring(timeoutMs, lane), timeoutMs);
  lanes.set(timeoutMs, lane);
  return () => {
    if (lane.waiting.delete(own) && lane.waiting.size === 0) close(timeoutMs, lane);
  };
}

function ring(timeoutMs: number, lane: Lane): void {
  lane.timer = undefined;
  const now = performance.now();
  for (const own of lane.waiting) {
    if (own.at > now) {
      // One that was set meanwhile by who was told rings too late for this one.
      clearTimeout(lane.timer);
      lane.timer = setTimeout(() => ring(timeoutMs, lane), own.at - now);
      return;
    }
    lane.waiting.delete(own);
    own.onLate();
  }
  close(timeoutMs, lane);
}

function close(timeoutMs: number, lane: Lane): void {
  clearTimeout(lane.timer);
  lane.timer = undefined;
  if (lanes.get(timeoutMs) === lane) lanes.delete(timeoutMs);
}
