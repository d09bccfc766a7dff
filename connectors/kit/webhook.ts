import { createHash } from "node:crypto";
import { z } from "zod";
import { parseJson } from "./body.ts";
import {
  describe,
  type Described,
  type Description,
  type EventDraft,
  type ParsedSettings,
  type Settings,
  type Verification,
} from "./connector.ts";
import { ShapeError, SignatureError, type SignatureFault } from "./errors.ts";
import { faultsOf } from "./faults.ts";

/** One request of a source, as it arrived: nothing decoded, nothing trusted. */
export interface Delivery {
  readonly headers: Headers;
  /** The raw bytes that the source signed. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** When the request arrived. */
  readonly receivedAt: Date;
}

/** Whether a delivery is proven to come from its source, and if not, why in words that help to mend it. */
export type Verdict =
  | { readonly authentic: true }
  | { readonly authentic: false; readonly fault: SignatureFault; readonly detail: string };

/** What a source wants to read in the answer, with status 200, instead of Inlet's own. */
export interface Reply {
  readonly contentType: string;
  readonly body: string;
}

/** What a verified delivery gives. */
export interface Received {
  /** The source's id of the delivery; the same for a redelivery. A hash of the body where the source sends none. */
  readonly deliveryId: string;
  /** As {@link Receiver.keptHeaders} gives them. */
  readonly keptHeaders: Headers;
  readonly drafts: readonly EventDraft[];
  /** What to answer once the events are accepted; `undefined`: Inlet's own answer. */
  readonly reply: Reply | undefined;
}

/** A webhook connector opened with one workspace's settings. */
export interface Receiver {
  /**
   * Verifies, then parses and normalizes one delivery. Pure: the same delivery gives the same result.
   *
   * @param onVerified Called in between: for who measures how long each takes.
   * @throws {SignatureError} if the delivery is not authentic; nothing of the body was parsed then
   * @throws {MalformedBodyError} if the body is not in the source's format
   * @throws {ShapeError} if the content is not what the source documents
   */
  receive(delivery: Delivery, onVerified?: () => void): Received;
  /**
   * Refuses what no body could make authentic, before one is read: a request that does not carry a signature at all.
   *
   * @throws {SignatureError} if the headers alone are reason enough
   */
  refuseUnsigned(headers: Headers, receivedAt: Date): void;
  /** Those of a request's headers that decide what becomes of it; no signature and no credential is among them. */
  keptHeaders(headers: Headers): Headers;
  /**
   * Signs a request as the source does at its `receivedAt`, so that a test event or a replay goes the way of a real one.
   * Gives the headers to send.
   */
  sign(request: Delivery): Headers;
}

/** A source that calls us. Made by {@link defineWebhook}. */
export interface WebhookConnector extends Described {
  readonly type: "webhook";
  /** How long the source waits for an answer, in milliseconds; `undefined` where it does not say. */
  readonly patienceMs: number | undefined;
  /**
   * Opens the connector with a workspace's settings. Where secrets are retiring, what they prove is accepted as well,
   * of a delivery that was received before their time is over. Ones that do not fit any more are left out.
   *
   * @throws {z.ZodError} if the settings do not fit the schemas
   */
  open(settings: Settings): Receiver;
}

/** Everything that makes a webhook connector: data and pure functions. */
export interface WebhookDefinition<Config extends z.ZodRawShape, Secrets extends z.ZodRawShape>
  extends Description<Config, Secrets> {
  /** How deliveries prove where they come from; default: by a signature. */
  readonly verification?: readonly Verification[];
  /** How long the source waits for an answer, in milliseconds. */
  readonly patienceMs?: number;
  /**
   * Names of the headers, in lower case, that {@link parse}, {@link deliveryId}, {@link handshake} and {@link normalize}
   * read beside `content-type`. They see no others, so that a delivery kept with these can be normalized again.
   */
  readonly headers: readonly string[] | ((config: z.output<z.ZodObject<Config>>) => readonly string[]);
  /**
   * Proves that the source sent these bytes. Runs before anything is parsed, and once with an empty body before the body
   * is read: whatever is wrong with the headers alone must be another fault than `mismatch`. While secrets are retiring
   * it is asked again with those, of what it refuses with the present ones.
   */
  verify(
    delivery: Delivery,
    secrets: z.output<z.ZodObject<Secrets>>,
    config: z.output<z.ZodObject<Config>>,
  ): Verdict;
  /** The headers by which the source proves that, with `receivedAt` as its time; {@link verify} accepts what they sign. */
  sign(
    request: Delivery,
    secrets: z.output<z.ZodObject<Secrets>>,
    config: z.output<z.ZodObject<Config>>,
  ): Record<string, string>;
  /**
   * The answer to a request that the source documents not to sign, and that tells nothing: it becomes no event. Asked of a
   * delivery that carries no signature, and to be decided by little of it, for anybody may have sent it.
   */
  unsigned?(delivery: Delivery): Reply | undefined;
  /** Turns the raw body into a value; default: JSON. */
  parse?(delivery: Delivery, config: z.output<z.ZodObject<Config>>): unknown;
  /** The source's id of the delivery, `null` where it sent none. */
  deliveryId(body: unknown, delivery: Delivery, config: z.output<z.ZodObject<Config>>): string | null;
  /** The answer to a request by which the source only asks whether this is the right place; it becomes no event. */
  handshake?(body: unknown, delivery: Delivery): Reply | undefined;
  /** The answer to an accepted delivery of which the source would misread Inlet's own. */
  acknowledge?(body: unknown, delivery: Delivery): Reply | undefined;
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
  const { verification = ["signature"], patienceMs } = definition;
  const described = describe(definition, { type: "webhook", verification, common: {} });
  return {
    ...described,
    type: "webhook",
    patienceMs,
    open(settings) {
      const { config, retiring } = settings;
      const former = { config, secrets: retiring?.secrets ?? {} };
      const replaced = retiring && described.faultsOf(former, true).length === 0
        ? { secrets: described.parse(former).secrets, until: retiring.until }
        : undefined;
      return openReceiver(definition, { ...described.parse(settings), replaced });
    },
  };
}

/** Settings of a webhook, with the secrets that are retiring. */
interface OpenSettings<Config extends z.ZodRawShape, Secrets extends z.ZodRawShape>
  extends ParsedSettings<Config, Secrets> {
  readonly replaced: { readonly secrets: z.output<z.ZodObject<Secrets>>; readonly until: Date } | undefined;
}

function openReceiver<Config extends z.ZodRawShape, Secrets extends z.ZodRawShape>(
  definition: WebhookDefinition<Config, Secrets>,
  { config, secrets, replaced }: OpenSettings<Config, Secrets>,
): Receiver {
  const named = typeof definition.headers === "function" ? definition.headers(config) : definition.headers;
  const kept = new Set(["content-type", ...named]);

  // By name: to go through all that there are takes eight times as long.
  function keptHeaders(headers: Headers): Headers {
    const found = new Headers();
    for (const name of kept) {
      const value = headers.get(name);
      if (value !== null) found.set(name, value);
    }
    return found;
  }

  /** The first verdict that `isGood`, of the present secrets and then of the replaced ones; else that of the present. */
  function verdictOn(delivery: Delivery, isGood: (verdict: Verdict) => boolean): Verdict {
    const verdict = definition.verify(delivery, secrets, config);
    if (isGood(verdict) || replaced === undefined || delivery.receivedAt >= replaced.until) return verdict;
    const former = definition.verify(delivery, replaced.secrets, config);
    return isGood(former) ? former : verdict;
  }

  function read(delivery: Delivery): Received {
    const body = definition.parse ? definition.parse(delivery, config) : parseJson(delivery.body);
    const deliveryId = definition.deliveryId(body, delivery, config) || hashOf(delivery.body);
    const handshake = definition.handshake?.(body, delivery);
    const keptHeaders = delivery.headers;
    if (handshake !== undefined) return { deliveryId, keptHeaders, drafts: [], reply: handshake };
    const drafts = definition.normalize(body, delivery, config);
    return { deliveryId, keptHeaders, drafts, reply: definition.acknowledge?.(body, delivery) };
  }

  return {
    keptHeaders,
    refuseUnsigned(headers, receivedAt): void {
      // A mismatch is all that the body can still mend.
      const mayPass = (verdict: Verdict) => verdict.authentic || verdict.fault === "mismatch";
      const verdict = verdictOn({ headers, body: new Uint8Array(), receivedAt }, mayPass);
      if (!verdict.authentic && !mayPass(verdict)) throw refusalOf(verdict);
    },
    receive(delivery, onVerified): Received {
      const verdict = verdictOn(delivery, ({ authentic }) => authentic);
      if (!verdict.authentic) {
        const reply = verdict.fault === "missing" ? definition.unsigned?.(delivery) : undefined;
        if (reply === undefined) throw refusalOf(verdict);
        return { deliveryId: hashOf(delivery.body), keptHeaders: keptHeaders(delivery.headers), drafts: [], reply };
      }
      onVerified?.();
      return explainShape(definition.name, () => read({ ...delivery, headers: keptHeaders(delivery.headers) }));
    },
    sign(request): Headers {
      const headers = new Headers(request.headers);
      // Set, not added: a header that is there already, such as an id that was kept, would have the value twice.
      for (const [name, value] of Object.entries(definition.sign(request, secrets, config))) headers.set(name, value);
      return headers;
    },
  };
}

function refusalOf({ fault, detail }: Verdict & { authentic: false }): SignatureError {
  return new SignatureError(fault, `Cannot accept the delivery: ${detail}`);
}

function explainShape<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new ShapeError(`Cannot read the delivery: the body is not what ${name} documents for it`, faultsOf(error));
  }
}

/** Names a body by what is in it, as `sha256:` and the digest in hex: for a delivery that has no id of its own. */
export function hashOf(body: Uint8Array): string {
  return `sha256:${createHash("sha256").update(body).digest("hex")}`;
}
