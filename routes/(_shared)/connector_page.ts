import type { RecentRow } from "../../components/RecentTable.tsx";
import type { DashboardConnector } from "../../server/dashboard.ts";
import type { ConnectorActivity } from "../../server/deps.ts";
import type { PollerView, SettingsView } from "../../server/workspace/settings.ts";
import { type ConnectorForm, storedForm } from "./connector.ts";
import type { State } from "./define.ts";
import { type GuideParts, renderGuide } from "./guide.ts";

/** What a connector's page shows. */
export interface ConnectorPageData {
  readonly manifest: DashboardConnector["manifest"];
  readonly configured: boolean;
  readonly webhookUrl: string | null;
  /** `null` for a webhook. */
  readonly poller: PollerView | null;
  /** Until when what was replaced is accepted. */
  readonly retiringUntil: SettingsView["retiringUntil"];
  readonly form: ConnectorForm;
  readonly guide: GuideParts;
  readonly examples: readonly string[];
  readonly recent: readonly RecentRow[];
  readonly keepsDeliveries: boolean;
  readonly activity: ConnectorActivity | undefined;
  readonly now: Date;
  readonly message: PageMessage | undefined;
}

/** What has just been done, or could not be. */
export interface PageMessage {
  readonly tone: "good" | "bad";
  readonly title: string;
  readonly detail?: string;
}

const RECENT = 10;

/** Gathers what a connector's page shows. */
export async function connectorPageData(
  state: State,
  connector: DashboardConnector,
  { form, message, newSecret = false }: {
    form?: ConnectorForm | undefined;
    message?: PageMessage | undefined;
    newSecret?: boolean;
  },
): Promise<ConnectorPageData> {
  const { dashboard, workspaceId } = state;
  const { manifest } = connector;
  state.title = manifest.name;
  const [view, guide, examples, deliveries, activity] = await Promise.all([
    dashboard.settings.view(workspaceId, manifest.id),
    dashboard.guide(manifest.id),
    dashboard.examples(manifest.id),
    dashboard.deliveries(workspaceId, { limit: RECENT, connectorId: manifest.id }),
    dashboard.activity(workspaceId),
  ]);
  return {
    manifest,
    configured: view.configured,
    webhookUrl: view.webhookUrl,
    poller: view.poller,
    retiringUntil: view.retiringUntil,
    form: form ?? storedForm(connector, view, newSecret),
    guide: renderGuide(guide),
    examples,
    recent: deliveries.map(({ events, ...rest }) => ({ ...rest, types: events.map(({ type }) => type) })),
    keepsDeliveries: dashboard.keepsDeliveries,
    activity: activity.find(({ connectorId }) => connectorId === manifest.id),
    now: new Date(),
    message,
  };
}

/** What the address says has just been done. Nothing of the address is shown as it is. */
export function messageOf({ searchParams }: URL): PageMessage | undefined {
  const done = searchParams.get("done");
  if (done === "saved") return { tone: "good", title: "Saved" };
  if (done === "ended") return { tone: "good", title: "The old one is not accepted any more" };
  if (done === "url") {
    return { tone: "good", title: "The webhook URL is a new one", detail: "Put it into the source's settings now." };
  }
  const events = Number(searchParams.get("events") ?? NaN);
  if (!Number.isSafeInteger(events) || events < 0) return undefined;
  const were = events === 1 ? "1 event was" : `${events} events were`;
  if (done === "polled") {
    return { tone: "good", title: events === 0 ? "Polled: nothing is new" : `Polled: ${were} published` };
  }
  if (done !== "sent") return undefined;
  const detail = events === 0 ? "The connector makes no event of this one." : "The delivery is in the list below.";
  return { tone: "good", title: `Test sent: ${were} published`, detail };
}
