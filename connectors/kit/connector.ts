import type { Actor, Subject } from "@inlet/events-core";
import { z } from "zod";
import type { Fault } from "./errors.ts";
import { faultsOf } from "./faults.ts";

/** What a connector makes of what its source says, before the pipeline stamps id, workspace and source on it. */
export interface EventDraft {
  /** One of the connector's triggers, or a type that one of them matches as a pattern. */
  readonly type: string;
  /** The source's own time of the event, or the time of arrival where it has none. */
  readonly occurredAt: Date;
  readonly actor: Actor;
  readonly subject: Subject;
  /** JSON-serializable data, shaped by the schema that the source's package publishes for `type`. */
  readonly payload: Record<string, unknown>;
  /**
   * Names what happened at the source, for ever: the same key always gives the same event id, so that what is told twice
   * is one event. Where there is none, the id is made of the delivery's id and the draft's place in it.
   */
  readonly key?: string;
}

/** How deliveries prove where they come from: by a signature over the body, or only by a token sent along with it. */
export type Verification = "signature" | "token";

/** What everybody may know of a connector. */
export interface Manifest {
  /** Connector identifier, used in paths and as the first segment of its event types. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** How events get in: the source calls us, or we call the source. */
  readonly type: "webhook" | "poller";
  /**
   * Every event type that the connector can emit. Where types depend on its config, a topic pattern such as
   * `webhook.*.*` stands for them: a queue can be bound with it as with a type.
   */
  readonly triggers: readonly string[];
  /** What the source is and what comes of it, in a sentence. */
  readonly description: string;
  /** The source's own documentation of what it sends. */
  readonly documentationUrl: string;
  /** The ways of proof that the connector accepts, the best first; a poller, which calls its source, needs none. */
  readonly verification: readonly Verification[];
}

/** Settings as they are stored: checked against the connector's schemas when it is opened. */
export interface Settings {
  readonly config: Record<string, unknown>;
  readonly secrets: Record<string, unknown>;
  /** The secrets that {@link secrets} replaced, where a webhook still takes what they sign. */
  readonly retiring?: RetiringSecrets | null;
}

/** Secrets that were replaced, and are accepted beside their successors until a time. */
export interface RetiringSecrets {
  readonly secrets: Record<string, unknown>;
  /** The first moment at which they are accepted no more. */
  readonly until: Date;
}

/** What every connector is described by. */
export interface Described {
  readonly manifest: Manifest;
  /** Shape of the non-sensitive settings. Unknown keys are refused. */
  readonly configSchema: z.ZodObject;
  /** Shape of the secrets: what is required here is required to enable the connector. */
  readonly secretsSchema: z.ZodObject;
  /** Names of the settings and secrets that say where the secrets are sent; none where they stay here. */
  readonly secretsGoTo: readonly string[];
  /** The schema of the payload of each of the manifest's triggers. */
  readonly payloads: Readonly<Record<string, z.ZodType>>;
  /** What each of the manifest's triggers means, in a sentence. */
  readonly descriptions: Readonly<Record<string, string>>;
  /**
   * What is wrong with settings, each fault below `/config` or `/secrets`. A connector that is not to be enabled may
   * still lack secrets.
   */
  faultsOf(settings: Settings, enabled: boolean): Fault[];
}

/** What every connector is defined by. */
export interface Description<Config extends z.ZodRawShape, Secrets extends z.ZodRawShape> {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly documentationUrl: string;
  /** The schema of the payload of each event type; the types are the manifest's triggers. */
  readonly payloads: Readonly<Record<string, z.ZodType>>;
  /** What each event type means, in a sentence: what has happened, and when it comes. */
  readonly descriptions: Readonly<Record<string, string>>;
  /** Non-sensitive settings; each described, for the dashboard draws its form from them. */
  readonly config: Config;
  /** Secrets; each described likewise. */
  readonly secrets: Secrets;
  /**
   * Names of the settings and secrets that say where the secrets are sent, so that they are asked for again when one of
   * these changes; default: the secrets are sent nowhere.
   */
  readonly secretsGoTo?: readonly (Extract<keyof Config, string> | Extract<keyof Secrets, string>)[];
  /** What no single setting shows to be wrong. Runs before the connector is enabled, on settings that fit their schemas. */
  check?(settings: ParsedSettings<Config, Secrets>): readonly Fault[];
}

/** Settings as a definition's functions see them. */
export interface ParsedSettings<Config extends z.ZodRawShape, Secrets extends z.ZodRawShape> {
  readonly config: z.output<z.ZodObject<Config>>;
  readonly secrets: z.output<z.ZodObject<Secrets>>;
}

/** Makes of a definition what is common to all connectors. */
export function describe<Config extends z.ZodRawShape, Secrets extends z.ZodRawShape>(
  definition: Description<Config, Secrets>,
  { type, verification, common }: {
    readonly type: Manifest["type"];
    readonly verification: readonly Verification[];
    /** Settings of every connector of this type, which the definition does not see. */
    readonly common: z.ZodRawShape;
  },
): Described & { parse(settings: Settings): ParsedSettings<Config, Secrets> } {
  const { id, name, description, documentationUrl, payloads, descriptions, secretsGoTo = [] } = definition;
  const configSchema = z.strictObject({ ...definition.config, ...common });
  const secretsSchema = z.strictObject(definition.secrets);
  const ownConfigSchema = z.object(definition.config);
  const parse = ({ config, secrets }: Settings) => {
    configSchema.parse(config);
    return { config: ownConfigSchema.parse(config), secrets: secretsSchema.parse(secrets) };
  };
  return {
    manifest: { id, name, type, triggers: Object.keys(payloads), description, documentationUrl, verification },
    configSchema,
    secretsSchema,
    secretsGoTo,
    payloads,
    descriptions,
    parse,
    faultsOf(settings, enabled): Fault[] {
      const faults = [
        ...faultsBelow("/config", configSchema, settings.config),
        ...faultsBelow("/secrets", enabled ? secretsSchema : secretsSchema.partial(), settings.secrets),
      ];
      return faults.length > 0 || !enabled ? faults : [...definition.check?.(parse(settings)) ?? []];
    },
  };
}

function faultsBelow(base: string, schema: z.ZodType, value: unknown): Fault[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  return faultsOf(parsed.error).map(({ pointer, detail }) => ({ pointer: `${base}${pointer}`, detail }));
}
