import { z } from "zod";
import { HEADER_PATTERN, PLACE_PATTERN, PLACES_PATTERN } from "./places.ts";

const DAY_S = 86_400;

const places = z.string().regex(
  PLACES_PATTERN,
  'expected places such as "/data/id" or "header:x-event-id", the first that is there counts',
);

/** Everything that says how a sender's deliveries are verified, described; a preset has a value for each. */
const verified = {
  signatureHeader: z.string().regex(HEADER_PATTERN, "expected the name of a header")
    .describe("The header that carries the signature"),
  signatureList: z.enum(["single", "comma", "space"])
    .describe("Whether that header has a single signature, or what separates a list: one that matches is enough"),
  signaturePrefix: z.string()
    .describe('What stands before the signature, such as "sha256="; other parts of a list are no signatures'),
  algorithm: z.enum(["sha256", "sha512"]).describe("The hash function of the HMAC"),
  encoding: z.enum(["hex", "base64"]).describe("How the signature is written"),
  signedContent: z.string()
    .describe("What is signed, with {body}, {timestamp} and {id} in their places"),
  secretEncoding: z.enum(["utf8", "base64", "hex", "whsec"])
    .describe('How the secret becomes the key: as text, decoded, or decoded after "whsec_" (Standard Webhooks)'),
  timestamp: z.string()
    .regex(PLACE_PATTERN, 'expected a place such as "header:x-time", "header:x-signature#t" or "/sentAt"')
    .describe(
      "Where the signed time of sending stands: a header, an entry of one (header:x-signature#t), or /a/pointer",
    ),
  timestampFormat: z.enum(["seconds", "milliseconds", "rfc3339"])
    .describe("How that time is written: since 1970, or as 2026-03-02T12:00:00Z"),
  toleranceSeconds: z.int().min(1).max(DAY_S).describe("How far that time may be off, in seconds"),
};

/** Everything that says how they are read. */
const read = {
  sender: z.string().min(1).max(64).describe("What the sender is called: the actor of events that name nobody"),
  eventType: places.describe("Where the type of the event stands: header:x-event or /type"),
  eventAction: places.describe("Where the action stands, if the type does not say it"),
  deliveryId: places.describe("Where the id of the delivery stands, which stays the same when it is sent again"),
  occurredAt: places.describe("Where the time of the event stands: RFC 3339, or seconds or milliseconds since 1970"),
  actorType: z.enum(["user", "bot", "organization", "app", "device"]).describe("What kind of actor is named"),
  actorId: places.describe("Where the id of who caused the event stands"),
  actorName: places.describe("Where the name of who caused the event stands"),
  subjectType: places.describe("Where the kind of what the event concerns stands; otherwise it is the type's entity"),
  subjectId: places.describe("Where the id of what the event concerns stands"),
  subjectName: places.describe("Where its name or title stands"),
  subjectUrl: places.describe("Where its address for people stands"),
};

/** Everything that says how a sender's deliveries are verified and read. */
export const presetSchema = z.object({ ...verified, ...read });

/** Everything that says how a sender's deliveries are verified and read; an empty text means: nowhere, or nothing. */
export type Preset = Readonly<z.output<typeof presetSchema>>;

/** The senders whose settings are known. */
export const PRESET_NAMES = ["custom", "standard-webhooks", "stripe", "shopify", "linear"] as const;

const OWN_TYPE = /^[a-z0-9][a-z0-9_-]{0,63}\.[a-z0-9][a-z0-9_-]{0,63}$/;

/** What a form shows of the settings that a preset decides, until it is opened. */
const VERIFIED = "How the sender signs";
const READ = "Where a delivery says what";

/** The connector's config: a preset, and what differs from it. */
export const webhookConfig = {
  preset: z.enum(PRESET_NAMES).default("custom")
    .describe("The sender whose settings hold wherever you enter none below; with custom, enter them all"),
  ...optional(verified, VERIFIED),
  ...optional(read, READ),
  eventTypes: z.record(
    z.string(),
    z.string().regex(OWN_TYPE, 'expected "<entity>.<action>", of a to z, 0 to 9, _ and -'),
  ).optional().meta({
    description: 'Types to name otherwise, as JSON: {"their type": "<entity>.<action>"}',
    group: READ,
  }),
};

/** The connector's config: a preset, and what differs from it. */
export type WebhookConfig = z.output<z.ZodObject<typeof webhookConfig>>;

/** A shorter secret can be guessed from one delivery. */
const SHORTEST_SECRET = 16;

/** The connector's secrets. */
export const webhookSecrets = {
  signingSecret: z.string().min(SHORTEST_SECRET)
    .meta({ description: "The secret that the sender signs with, exactly as it shows it", givenBySource: true }),
};

/** The connector's secrets. */
export type WebhookSecrets = z.output<z.ZodObject<typeof webhookSecrets>>;

type Shape = Record<string, z.ZodType>;

// TypeScript cannot follow the mapping: the first signature says what it does, and the settings' test proves it.
function optional<S extends Shape>(shape: S, group: string): { [Name in keyof S]: z.ZodOptional<S[Name]> };
function optional(shape: Shape, group: string): Shape {
  return Object.fromEntries(
    Object.entries(shape).map(([name, setting]) => [
      name,
      setting.optional().meta({ description: z.globalRegistry.get(setting)?.description ?? "", group }),
    ]),
  );
}
