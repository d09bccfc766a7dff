import { z } from "zod";
import { countEvents, takenEvents } from "../../components/words.ts";
import type { DashboardConnector } from "../../server/dashboard.ts";
import type { ConnectorActivity, DeliveryRecord } from "../../server/deps.ts";
import type { PollerView } from "../../server/workspace/polling.ts";
import type { SettingsView } from "../../server/workspace/settings.ts";
import { type ConnectorForm, storedForm } from "./connector_form.ts";
import type { State } from "./define.ts";
import { countSchema } from "./count.ts";
import { type GuideParts, renderGuide } from "./guide.ts";

/** What a connector's page shows. */
export interface ConnectorPageData {
  readonly manifest: DashboardConnector["manifest"];
  readonly configured: boolean;
  /** Whether it is on: the form may say otherwise, where that could not be saved. */
  readonly enabled: boolean;
  readonly webhookUrl: string | null;
  readonly webhooksAreLocal: boolean;
  /** `null` for a webhook. */
  readonly poller: PollerView | null;
  /** Until when what was replaced is accepted. */
  readonly retiringUntil: SettingsView["retiringUntil"];
  readonly form: ConnectorForm;
  readonly guide: GuideParts;
  readonly examples: readonly string[];
  readonly recent: readonly DeliveryRecord[];
  readonly keepsDeliveries: boolean;
  readonly activity: ConnectorActivity | undefined;
  readonly now: Date;
  /** Why its settings cannot be read; `null` if they can. */
  readonly problem: string | null;
  readonly message: PageMessage | undefined;
}

/** What has just been done, or could not be. */
export interface PageMessage {
  readonly tone: "good" | "bad";
  readonly title: string;
  readonly detail?: string;
}

const RECENT = 10;

const countsSchema = z.object({ events: countSchema, queued: countSchema.default(0) });

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
  const [view, guide, examples, recent, activity] = await Promise.all([
    dashboard.settings.view(workspaceId, manifest.id),
    dashboard.guide(manifest.id),
    dashboard.examples(manifest.id),
    dashboard.deliveries(workspaceId, { limit: RECENT, connectorId: manifest.id }),
    dashboard.activity(workspaceId),
  ]);
  return {
    manifest,
    configured: view.configured,
    enabled: view.enabled,
    webhookUrl: view.webhookUrl,
    webhooksAreLocal: dashboard.webhooksAreLocal,
    poller: view.poller,
    retiringUntil: view.retiringUntil,
    form: form ?? storedForm(connector, view, newSecret),
    guide: renderGuide(guide),
    examples,
    recent,
    keepsDeliveries: dashboard.keepsDeliveries,
    activity: activity.find(({ connectorId }) => connectorId === manifest.id),
    now: new Date(),
    problem: view.problem,
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
  const { data } = countsSchema.safeParse(Object.fromEntries(searchParams));
  if (data === undefined) return undefined;
  const { events, queued } = data;
  if (done === "polled") {
    const news = events === 0 ? "nothing is new" : `${countEvents(events)} ${events === 1 ? "is" : "are"} new`;
    return { tone: "good", title: `Polled: ${news}` };
  }
  if (done !== "sent") return undefined;
  const detail = events + queued === 0
    ? "The connector makes no event of this one."
    : "The delivery is in the list below.";
  return { tone: "good", title: `Test sent: ${takenEvents({ published: events, queued })}`, detail };
}
