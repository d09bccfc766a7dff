import { HttpError } from "fresh";
import type { ConnectorSummary } from "../../components/ConnectorRow.tsx";
import { type Field, fieldsOf } from "../../components/form/fields.ts";
import { readPosted, readPostedSecrets, storedTexts, typedTexts } from "../../components/form/posted.ts";
import type { SchemaFormProps } from "../../components/form/SchemaForm.tsx";
import type { DashboardConnector } from "../../server/dashboard.ts";
import type { ConnectorActivity } from "../../server/deps.ts";
import type { SettingsView } from "../../server/workspace/settings.ts";
import type { State } from "./define.ts";
import { statusOrThrow } from "./form.ts";

/** @throws {HttpError} 404 if there is no such connector */
export function requireConnector({ dashboard }: State, id: string | undefined): DashboardConnector {
  const connector = id === undefined ? undefined : dashboard.connector(id);
  if (connector === undefined) throw new HttpError(404);
  return connector;
}

/** A connector's form without its buttons, and how many faults it shows. */
export interface ConnectorForm extends Omit<SchemaFormProps, "copy" | "renewHref"> {
  readonly enabled: boolean;
  /** What keeps it from being saved, in words; `undefined` if nothing does. */
  readonly problem: string | undefined;
  readonly status: number;
}

/** The form as it stands with what is stored. Secrets in `suggest` get a made-up one, and so do those that are missing. */
export function storedForm(connector: DashboardConnector, view: SettingsView, suggest: boolean = false): ConnectorForm {
  const { config, secrets } = fieldsFor(connector);
  return {
    config,
    secrets,
    texts: storedTexts(config, view.config),
    faults: [],
    secretNames: view.secretNames,
    suggestions: suggestionsFor(secrets, suggest ? [] : view.secretNames),
    enabled: view.enabled,
    problem: undefined,
    status: 200,
  };
}

/**
 * Saves a posted form. Gives the form to show again if it does not fit, with what was typed except secrets, and
 * `undefined` if it was saved.
 */
export async function saveForm(
  state: State,
  connector: DashboardConnector,
  form: URLSearchParams,
  enabled: boolean,
): Promise<ConnectorForm | undefined> {
  const { dashboard, workspaceId } = state;
  const { config, secrets } = fieldsFor(connector);
  const connectorId = connector.manifest.id;
  try {
    const change = { config: readPosted("config", config, form), secrets: readPostedSecrets(secrets, form) };
    await dashboard.settings.configure({ workspaceId, connectorId, enabled, ...change });
    return undefined;
  } catch (error) {
    const problem = dashboard.problem(error);
    const status = statusOrThrow(problem, error);
    const { secretNames } = await dashboard.settings.view(workspaceId, connectorId);
    const faults = problem.errors ?? [];
    const texts = typedTexts(config, form);
    const suggestions = suggestionsFor(secrets, secretNames);
    return { config, secrets, texts, faults, secretNames, suggestions, enabled, problem: problem.detail, status };
  }
}

function fieldsFor({ configSchema, secretsSchema }: DashboardConnector): { config: Field[]; secrets: Field[] } {
  return { config: fieldsOf(configSchema), secrets: fieldsOf(secretsSchema) };
}

function suggestionsFor(secrets: readonly Field[], known: readonly string[]): Record<string, string> {
  const missing = secrets.filter(({ name, required, takesRandomText }) =>
    required && takesRandomText && !known.includes(name)
  );
  return Object.fromEntries(missing.map(({ name }) => [name, crypto.getRandomValues(new Uint8Array(32)).toHex()]));
}

/** Every connector with what it has done of late; those that are on first, then by name. */
export async function summaries({ dashboard, workspaceId }: State): Promise<ConnectorSummary[]> {
  const activity = Map.groupBy(await dashboard.activity(workspaceId), ({ connectorId }) => connectorId);
  const all = await Promise.all(dashboard.connectors.map(async ({ manifest: { id, name, description, type } }) => {
    const { enabled, webhookUrl } = await dashboard.settings.view(workspaceId, id);
    const done: Partial<ConnectorActivity> = activity.get(id)?.[0] ?? {};
    const { perMinute = Array.from({ length: 60 }, () => 0), lastEventAt = null, refusal = null } = done;
    const configured = webhookUrl !== null;
    return { id, name, description, kind: type, enabled, configured, perMinute, lastEventAt, refusal };
  }));
  return all.sort((a, b) => Number(b.enabled) - Number(a.enabled) || a.name.localeCompare(b.name));
}

/** Whether a connector's first event came, and why its newest delivery was refused. */
export async function firstEvent(
  { dashboard, workspaceId }: State,
  connectorId: string,
): Promise<{ came: boolean; refusal: string | null }> {
  const own = (await dashboard.activity(workspaceId)).find((activity) => activity.connectorId === connectorId);
  return { came: (own?.lastEventAt ?? null) !== null, refusal: own?.refusal?.reason ?? null };
}
