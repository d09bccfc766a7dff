import { HttpError } from "fresh";
import type { ConnectorSummary } from "../../components/ConnectorRow.tsx";
import type { FirstEventStatus } from "../../islands/FirstEvent.tsx";
import type { DashboardConnector } from "../../server/dashboard.ts";
import type { ConnectorActivity } from "../../server/deps.ts";
import type { State } from "./define.ts";

/** @throws {HttpError} 404 if there is no such connector */
export function requireConnector({ dashboard }: State, id: string | undefined): DashboardConnector {
  const connector = id === undefined ? undefined : dashboard.connector(id);
  if (connector === undefined) throw new HttpError(404);
  return connector;
}

/** Every connector with what it has done of late; those that are on first, then by name. */
export async function summaries({ dashboard, workspaceId }: State): Promise<ConnectorSummary[]> {
  const activity = Map.groupBy(await dashboard.activity(workspaceId), ({ connectorId }) => connectorId);
  const all = await Promise.all(dashboard.connectors.map(async ({ manifest: { id, name, description, type } }) => {
    const { enabled, configured, problem, poller } = await dashboard.settings.view(workspaceId, id);
    const done: Partial<ConnectorActivity> = activity.get(id)?.[0] ?? {};
    const { perMinute = Array.from({ length: 60 }, () => 0), lastEventAt = null, refusal = null } = done;
    return { id, name, description, kind: type, enabled, configured, problem, perMinute, lastEventAt, refusal, poller };
  }));
  return all.sort((a, b) => Number(b.enabled) - Number(a.enabled) || a.name.localeCompare(b.name));
}

/** Whether a connector's first event came, what kept the newest delivery or poll from bringing it, and whether it was polled. */
export async function firstEvent({ dashboard, workspaceId }: State, connectorId: string): Promise<FirstEventStatus> {
  const own = (await dashboard.activity(workspaceId)).find((activity) => activity.connectorId === connectorId);
  const { poller } = await dashboard.settings.view(workspaceId, connectorId);
  return {
    came: (own?.lastEventAt ?? null) !== null,
    refusal: poller?.lastError ?? own?.refusal?.reason ?? null,
    polled: (poller?.lastRunAt ?? null) !== null,
  };
}
