import { type HeaderPlace, type Place, placesOf } from "./places.ts";
import { presets } from "./presets.ts";
import { type Preset, presetSchema, type WebhookConfig } from "./settings.ts";
import { fills, type Template, templateOf } from "./template.ts";

/** The settings that say where something is, beside what verifies a delivery. */
export const EVENT_PLACES = [
  "eventType",
  "eventAction",
  "deliveryId",
  "occurredAt",
  "actorId",
  "actorName",
  "subjectType",
  "subjectId",
  "subjectName",
  "subjectUrl",
] as const;

/** A config, made ready for deliveries. */
export interface Rule {
  /** The settings, those of the preset where there are no own ones. */
  readonly settings: Preset;
  /** The header that carries the signature, in lower case; `""` if none is set. */
  readonly signatureHeader: string;
  /** `undefined` if it cannot be read. */
  readonly signs: Template | undefined;
  /** Where the signed time stands, if anywhere. */
  readonly time: Place | undefined;
  /** Where the signed id stands; `undefined` if none is signed, or it stands in no header. */
  readonly signedId: HeaderPlace | undefined;
  readonly at: Readonly<Record<typeof EVENT_PLACES[number], readonly Place[]>>;
  /** Our name of a sender's type, where the config has one. */
  readonly eventTypes: ReadonlyMap<string, string>;
}

const rules = new WeakMap<WebhookConfig, Rule>();

/** The rule that a config makes, made once. */
export function ruleOf(config: WebhookConfig): Rule {
  const known = rules.get(config);
  if (known !== undefined) return known;
  const rule = makeRule(config);
  rules.set(config, rule);
  return rule;
}

/** The headers that events are made of, in lower case. */
export function headersOf({ at }: Rule): string[] {
  const places = EVENT_PLACES.flatMap((setting) => at[setting]);
  return [...new Set(places.flatMap((place) => place.in === "header" ? [place.name] : []))];
}

function makeRule(config: WebhookConfig): Rule {
  const own = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
  const settings = presetSchema.parse({ ...presets[config.preset], ...own });
  const signs = templateOf(settings.signedContent);
  const [time] = placesOf(settings.timestamp);
  const [id] = placesOf(settings.deliveryId);
  return {
    settings,
    signatureHeader: settings.signatureHeader.toLowerCase(),
    signs,
    time,
    signedId: signs !== undefined && fills(signs, "id") && id?.in === "header" ? id : undefined,
    at: {
      eventType: placesOf(settings.eventType),
      eventAction: placesOf(settings.eventAction),
      deliveryId: placesOf(settings.deliveryId),
      occurredAt: placesOf(settings.occurredAt),
      actorId: placesOf(settings.actorId),
      actorName: placesOf(settings.actorName),
      subjectType: placesOf(settings.subjectType),
      subjectId: placesOf(settings.subjectId),
      subjectName: placesOf(settings.subjectName),
      subjectUrl: placesOf(settings.subjectUrl),
    },
    eventTypes: new Map(Object.entries(config.eventTypes ?? {})),
  };
}
