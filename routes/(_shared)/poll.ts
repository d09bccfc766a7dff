import type { State } from "./define.ts";
import { problemOrThrow } from "./form.ts";

/** How a poll went. */
export type PollOutcome = { readonly published: number } | { readonly problem: string; readonly status: number };

/** Polls a connector now, and waits for what comes of it. */
export async function poll(
  { dashboard, workspaceId }: State,
  connectorId: string,
  { startAnew = false }: { startAnew?: boolean } = {},
): Promise<PollOutcome> {
  try {
    return { published: await dashboard.scheduler.pollNow(workspaceId, connectorId, { startAnew }) };
  } catch (error) {
    const { status, detail } = problemOrThrow(dashboard, error);
    return { problem: detail, status };
  }
}

/** Begins a poll and does not wait for it: how it went stands in the connector's settings, and in the log. */
export function beginPoll({ dashboard, workspaceId }: State, connectorId: string): void {
  dashboard.scheduler.pollNow(workspaceId, connectorId).catch(() => {});
}
