import { cpuUsage } from "node:process";

/** What the process takes of the machine. */
export interface ProcessReadings {
  /** User and system time since the start. */
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** In seconds since the epoch. */
  readonly startedAtSeconds: number;
  /** How late the event loop comes to a task that is due now. */
  readonly loopLagSeconds: number;
}

/** Reads what the process takes; needs no permission, unlike what prom-client would read from `/proc`. */
export async function readProcess(): Promise<ProcessReadings> {
  const dueMs = performance.now();
  await new Promise<void>((resolve) => setTimeout(resolve));
  const { user, system } = cpuUsage();
  const { rss, heapUsed } = Deno.memoryUsage();
  return {
    cpuSeconds: (user + system) / 1e6,
    residentBytes: rss,
    heapBytes: heapUsed,
    startedAtSeconds: performance.timeOrigin / 1000,
    loopLagSeconds: (performance.now() - dueMs) / 1000,
  };
}
