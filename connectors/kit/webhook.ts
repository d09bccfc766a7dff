import type { Actor, Subject } from "@inlet/events-core";
import { createHash } from "node:crypto";
import { z } from "zod";
import { ShapeError, SignatureError, type SignatureFault } from "./errors.ts";
import { faultsOf } from "./faults.ts";
import { parseJson } from "./body.ts";

/** One request of a source, as it arrived: nothing decoded, nothing trusted. */
export interface Delivery {
  readonly headers: Headers;
  /** The raw bytes that the source signed. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** When the request arrived. */
  readonly receivedAt: Date;
}

/** What a connector makes of a delivery, before the pipeline stamps id, workspace and source on it. */
export interface EventDraft {
  /** One of the connector's triggers. */
  readonly type: string;
  /** The source's own time of the event, or the delivery's `receivedAt` where it has none. */
  readonly occurredAt: Date;
  readonly actor: Actor;
  readonly subject: Subject;
  /** JSON-serializable data, shaped by the schema that the source's package publishes for `type`. */
  readonly payload: Record<string, unknown>;
}

/** Whether a delivery is proven to come from its source, and if not, why in words that help to mend it. */
export type Verdict =
  | { readonly authentic: true }
  | { readonly authentic: false; readonly fault: SignatureFault; readonly detail: string };

/** What everybody may know of a connector. */
export interface Manifest {
  /** Connector identifier, used in paths and as the first segment of its event types. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** How events get in: the source calls us, or we call the source. */
  readonly type: "webhook" | "poller";
  /** Every event type that the connector can emit. */
  readonly triggers: readonly string[];
  /** What the source is and what comes of it, in a sentence. */
  readonly description: string;
  /** The source's own documentation of its deliveries. */
  readonly documentationUrl: string;
}

/** What a verified delivery gives. */
export interface Received {
  /** The source's id of the delivery; the same for a redelivery. A hash of the body where the source sends none. */
  readonly deliveryId: string;
  readonly drafts: readonly EventDraft[];
}

/** A connector opened with one workspace's settings. */
export interface Receiver {
  /**
   * Verifies, then parses and normalizes one delivery. Pure: the same delivery gives the same result.
   *
   * @throws {SignatureError} if the delivery is not authentic; nothing of the body was parsed then
   * @throws {MalformedBodyError} if the body is not in the source's format
   * @throws {ShapeError} if the content is not what the source documents
   */
  receive(delivery: Delivery): Received;
  /**
   * Refuses what no body could make authentic, before one is read: a request that does not carry a signature at all.
   *
   * @throws {SignatureError} if the headers alone are reason enough
   */
  refuseUnsigned(headers: Headers, receivedAt: Date): void;
}

/** Settings as they are stored: checked against the connector's schemas when it is opened. */
export interface Settings {
  readonly config: Record<string, unknown>;
  readonly secrets: Record<string, unknown>;
}

/** A source that calls us. Made by {@link defineWebhook}. */
export interface WebhookConnector {
  readonly manifest: Manifest;
  /** Those of a request's headers that decide what becomes of it; no signature and no credential is among them. */
  keptHeaders(headers: Headers): Headers;
  /** Shape of the non-sensitive settings. Unknown keys are refused. */
  readonly configSchema: z.ZodObject;
  /** Shape of the secrets: what is required here is required to enable the connector. */
  readonly secretsSchema: z.ZodObject;
  /**
   * Opens the connector with a workspace's settings.
   *
   * @throws {z.ZodError} if the settings do not fit the schemas
   */
  open(settings: Settings): Receiver;
  /**
   * Signs a request as the source does, so that a test event goes the way of a real one. Gives the headers to send.
   *
   * @throws {z.ZodError} if the secrets do not fit the schema
   */
  sign(request: Delivery, secrets: Record<string, unknown>): Headers;
}

/** Everything that makes a webhook connector: data and pure functions. */
export interface WebhookDefinition<Config extends z.ZodRawShape, Secrets extends z.ZodRawShape> {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly documentationUrl: string;
  readonly triggers: readonly string[];
  /**
   * Names of the headers, in lower case, that {@link parse}, {@link deliveryId} and {@link normalize} read beside
   * `content-type`. They see no others, so that a delivery kept with these can be normalized again.
   */
  readonly headers: readonly string[];
  /** Non-sensitive settings; each described, for the dashboard draws its form from them. */
  readonly config: Config;
  /** Secrets; each described likewise. */
  readonly secrets: Secrets;
  /** Proves that the source sent these bytes. Runs before anything is parsed. */
  verify(delivery: Delivery, secrets: z.output<z.ZodObject<Secrets>>): Verdict;
  /** The headers by which the source proves that; {@link verify} accepts what they sign. */
  sign(request: Delivery, secrets: z.output<z.ZodObject<Secrets>>): Record<string, string>;
  /** The source's id of the delivery, `null` where it sent none. */
  deliveryId(delivery: Delivery): string | null;
  /** Turns the raw body into a value; default: JSON. */
  parse?(delivery: Delivery): unknown;
  /** Turns a verified, parsed delivery into zero or more drafts. A `ZodError` from here becomes a {@link ShapeError}. */
  normalize(body: unknown, delivery: Delivery, config: z.output<z.ZodObject<Config>>): readonly EventDraft[];
}

/**
 * Makes a connector of its definition. Verification lives in here and not in the definition's hands: there is no way to
 * reach `normalize` but through a `verify` that said yes.
 */
export function defineWebhook<Config extends z.ZodRawShape, Secrets extends z.ZodRawShape>(
  definition: WebhookDefinition<Config, Secrets>,
): WebhookConnector {
  const { id, name, description, documentationUrl, triggers } = definition;
  const configSchema = z.strictObject(definition.config);
  const secretsSchema = z.strictObject(definition.secrets);
  const headerNames = ["content-type", ...definition.headers];
  const keptHeaders = (headers: Headers): Headers => {
    return new Headers(headers.entries().filter(([name]) => headerNames.includes(name)).toArray());
  };
  return {
    keptHeaders,
    manifest: { id, name, type: "webhook", triggers, description, documentationUrl },
    configSchema,
    secretsSchema,
    open(settings): Receiver {
      const config = configSchema.parse(settings.config);
      const secrets = secretsSchema.parse(settings.secrets);
      return {
        refuseUnsigned(headers, receivedAt): void {
          const verdict = definition.verify({ headers, body: new Uint8Array(), receivedAt }, secrets);
          // A mismatch is all that the body can still mend.
          if (!verdict.authentic && verdict.fault !== "mismatch") throw refusalOf(verdict);
        },
        receive(delivery): Received {
          const verdict = definition.verify(delivery, secrets);
          if (!verdict.authentic) throw refusalOf(verdict);
          const kept = { ...delivery, headers: keptHeaders(delivery.headers) };
          const body = definition.parse ? definition.parse(kept) : parseJson(kept.body);
          const drafts = explainShape(name, () => definition.normalize(body, kept, config));
          return { deliveryId: definition.deliveryId(kept) || hashOf(kept.body), drafts };
        },
      };
    },
    sign(request, secrets): Headers {
      const signature = definition.sign(request, secretsSchema.parse(secrets));
      return new Headers([...request.headers, ...Object.entries(signature)]);
    },
  };
}

function refusalOf({ fault, detail }: Verdict & { authentic: false }): SignatureError {
  return new SignatureError(fault, `Cannot accept the delivery: ${detail}`);
}

function explainShape<T>(name: string, normalize: () => T): T {
  try {
    return normalize();
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new ShapeError(`Cannot read the delivery: the body is not what ${name} documents for it`, faultsOf(error));
  }
}

function hashOf(body: Uint8Array): string {
  return `sha256:${createHash("sha256").update(body).digest("hex")}`;
}
