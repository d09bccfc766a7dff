import { HttpError } from "fresh";
import { type Field, fieldsOf } from "../../components/form/fields.ts";
import { faultAt, type FormFault } from "../../components/form/faults.ts";
import type { KeepOldProps } from "../../components/form/KeepOld.tsx";
import { KEEP_OLD_ENTRY, keepOldMs } from "../../components/form/keep_old.ts";
import {
  clearEntryOf,
  entryOf,
  postedSuggestions,
  readableFaults,
  readPosted,
  readPostedSecrets,
  storedTexts,
  typedTexts,
} from "../../components/form/posted.ts";
import type { SchemaFormProps } from "../../components/form/SchemaForm.tsx";
import type { DashboardConnector } from "../../server/dashboard.ts";
import type { SettingsView } from "../../server/workspace/settings.ts";
import type { State } from "./define.ts";
import { problemOrThrow } from "./form.ts";

/** A connector's form without its buttons, and how many faults it shows. */
export interface ConnectorForm extends Omit<SchemaFormProps, "copy" | "renewHref" | "afterSecrets"> {
  /** The choice for how long old secrets are accepted; `undefined` where there are none, or nothing is accepted. */
  readonly keepOld: Pick<KeepOldProps, "chosen" | "fault"> | undefined;
  /** Labels of the secrets that were typed: they are not in the form again. */
  readonly forgotten: readonly string[];
  readonly enabled: boolean;
  /** What keeps it from being saved, in words; `undefined` if nothing does. */
  readonly problem: string | undefined;
  readonly status: number;
}

/** Where a fault is that the choice for how long old secrets are accepted shows. */
export const KEEP_OLD_POINTER = "/keepOldSecretsFor";

/** The form as it stands with what is stored. Secrets in `suggest` get a made-up one, and so do those that are missing. */
export function storedForm(connector: DashboardConnector, view: SettingsView, suggest: boolean = false): ConnectorForm {
  const { config, secrets } = fieldsFor(connector);
  return {
    config,
    secrets,
    texts: storedTexts(config, view.config),
    faults: [],
    secretNames: view.secretNames,
    suggestions: suggestionsFor(connector, suggest ? [] : view.secretNames),
    renewable: madeUpHere(connector),
    cleared: [],
    forgotten: [],
    keepOld: keepOldFor(connector, view),
    enabled: view.enabled,
    problem: undefined,
    status: 200,
  };
}

/**
 * Saves a posted form. Gives the form to show again if it does not fit, with what was typed except secrets (one that was
 * made up stays), and `undefined` if it was saved.
 *
 * @throws {HttpError} 422 if the form says a time for which old secrets cannot be kept
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
  const keepOldSecretsForMs = requireKeepOldMs(form);
  try {
    const change = { config: readPosted("config", config, form), secrets: readPostedSecrets(secrets, form) };
    await dashboard.settings.configure({ workspaceId, connectorId, enabled, ...change, keepOldSecretsForMs });
    return undefined;
  } catch (error) {
    const { status, detail, errors = [] } = problemOrThrow(dashboard, error);
    const view = await dashboard.settings.view(workspaceId, connectorId);
    return { ...postedForm(connector, view, form, errors), enabled, problem: detail, status };
  }
}

function postedForm(
  connector: DashboardConnector,
  view: SettingsView,
  form: URLSearchParams,
  errors: readonly FormFault[],
): Omit<ConnectorForm, "enabled" | "problem" | "status"> {
  const { config, secrets } = fieldsFor(connector);
  const { secretNames } = view;
  const faults = readableFaults(errors, config, form);
  const kept = postedSuggestions(secrets, form);
  const forgotten = secrets.filter((field) => form.get(entryOf("secrets", field)) && kept[field.name] === undefined);
  // Who has a secret is not to be given another.
  const known = [...secretNames, ...forgotten.map(({ name }) => name)];
  return {
    config,
    secrets,
    texts: typedTexts(config, form),
    faults,
    secretNames,
    suggestions: { ...suggestionsFor(connector, known), ...kept },
    renewable: madeUpHere(connector),
    cleared: secrets.filter((field) => form.has(clearEntryOf(field))).map(({ name }) => name),
    forgotten: forgotten.map(({ label }) => label),
    keepOld: keepOldFor(connector, view, { faults, chosen: form.get(KEEP_OLD_ENTRY) ?? undefined }),
  };
}

/** @throws {HttpError} 422 if a posted form says a time for which what is replaced cannot be kept */
export function requireKeepOldMs(form: URLSearchParams): number {
  const ms = keepOldMs(form);
  if (ms === undefined) throw new HttpError(422, "The form says a time for the old one that is no choice");
  return ms;
}

function keepOldFor(
  { manifest }: DashboardConnector,
  { enabled, hasSecrets }: SettingsView,
  { faults = [], chosen }: { faults?: readonly FormFault[]; chosen?: string | undefined } = {},
): ConnectorForm["keepOld"] {
  if (manifest.type !== "webhook" || !enabled || !hasSecrets) return undefined;
  return { chosen, fault: faultAt(faults, KEEP_OLD_POINTER) };
}

function fieldsFor({ configSchema, secretsSchema }: DashboardConnector): { config: Field[]; secrets: Field[] } {
  return { config: fieldsOf(configSchema), secrets: fieldsOf(secretsSchema) };
}

/** Names of the secrets that can be made up here. What opens a source that is polled is the source's to give. */
export function madeUpHere(connector: DashboardConnector): string[] {
  if (connector.manifest.type === "poller") return [];
  const { secrets } = fieldsFor(connector);
  return secrets.filter(({ required, takesRandomText }) => required && takesRandomText).map(({ name }) => name);
}

/** Made-up secrets, but for those that are `known`. */
function suggestionsFor(connector: DashboardConnector, known: readonly string[]): Record<string, string> {
  const missing = madeUpHere(connector).filter((name) => !known.includes(name));
  return Object.fromEntries(missing.map((name) => [name, crypto.getRandomValues(new Uint8Array(32)).toHex()]));
}
