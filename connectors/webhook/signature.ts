import {
  type Delivery,
  type Digest,
  matchSignatures,
  missing,
  parseJson,
  signatureOf,
  type Verdict,
} from "../kit/mod.ts";
import { keyOf } from "./key.ts";
import { freshAt, written } from "./moment.ts";
import { entriesAt, type HeaderPlace, type Place, textAt, valueAt } from "./places.ts";
import { isResigned, resigned } from "./resigned.ts";
import { type Rule, ruleOf } from "./rule.ts";
import type { WebhookConfig, WebhookSecrets } from "./settings.ts";
import { filled, type Template } from "./template.ts";

/** No sender signs with more secrets at once. */
const MOST_SIGNATURES = 16;
const SEPARATORS = { comma: ",", space: " " } as const;

type Refusal = Verdict & { readonly authentic: false };

/** Everything that verifying takes; only settings that the connector's check refuses lack any of it. */
interface Ready {
  readonly rule: Rule;
  readonly signs: Template;
  readonly key: Uint8Array;
}

/** Proves that a delivery is the sender's, and of the present time if the sender signs one. */
export function verify(delivery: Delivery, secrets: WebhookSecrets, config: WebhookConfig): Verdict {
  const ready = readyOf(secrets, config);
  if (ready === undefined) return unset;
  const { rule, key } = ready;
  const signature = delivery.headers.get(rule.signatureHeader);
  if (!signature) return missing(rule.signatureHeader);
  const id = rule.signedId && inHeader(delivery.headers, rule.signedId);
  if (id !== undefined && typeof id !== "string") return id;
  const time = rule.time?.in === "header" ? inHeader(delivery.headers, rule.time) : undefined;
  if (time !== undefined && typeof time !== "string") return time;
  const fresh = time === undefined ? authentic : freshAt(time, theTime, delivery.receivedAt, rule.settings);
  if (!fresh.authentic) return fresh;
  const place = `the header ${rule.signatureHeader}`;
  const texts = signaturesIn(signature, rule);
  const verdict = matchSignatures(delivery, texts, digestOf(ready, time, id), place, rule.settings.signaturePrefix);
  return verdict.authentic && rule.time?.in === "body" ? freshBody(delivery, rule.time, rule, key) : verdict;
}

/** Signs a request as the sender does, with the id and time that it carries already, or new ones where they are signed. */
export function sign(request: Delivery, secrets: WebhookSecrets, config: WebhookConfig): Record<string, string> {
  const ready = readyOf(secrets, config);
  if (ready === undefined) return {};
  const { rule, key } = ready;
  const headers = new Headers(request.headers);
  headers.delete(rule.signatureHeader);
  const timePlace = rule.time?.in === "header" ? rule.time : undefined;
  const time = timePlace && said(headers, timePlace, written(request.receivedAt, rule.settings.timestampFormat));
  const id = rule.signedId && said(headers, rule.signedId, `msg_${crypto.randomUUID()}`);
  const signature = signatureOf(request.body, digestOf(ready, time, id));
  put(headers, rule.signatureHeader, `${rule.settings.signaturePrefix}${signature}`);
  const added = Object.fromEntries([...headers].filter(([name, value]) => request.headers.get(name) !== value));
  return rule.time?.in === "body" ? { ...added, ...resigned(request, key) } : added;
}

/** What headers say at a place; where that is nothing, `otherwise` is put there. */
function said(headers: Headers, place: HeaderPlace, otherwise: string): string {
  const there = valueAt(place, { headers, body: undefined });
  if (typeof there === "string" && there !== "") return there;
  if (place.key === null) headers.set(place.name, otherwise);
  else put(headers, place.name, `${place.key}=${otherwise}`);
  return otherwise;
}

/** Puts a part into a header that may be a list. */
function put(headers: Headers, name: string, part: string): void {
  const parts = headers.get(name);
  headers.set(name, parts ? `${parts},${part}` : part);
}

const authentic: Verdict = { authentic: true };
const theTime = "the signed time";
const unset: Refusal = {
  authentic: false,
  fault: "unset",
  detail: "the connector's settings do not say how to verify it: configure the connector again",
};

function readyOf({ signingSecret }: WebhookSecrets, config: WebhookConfig): Ready | undefined {
  const rule = ruleOf(config);
  const key = keyOf(signingSecret, rule.settings.secretEncoding);
  const { signs } = rule;
  return signs === undefined || key === undefined || rule.signatureHeader === "" ? undefined : { rule, signs, key };
}

function digestOf({ rule, signs, key }: Ready, timestamp: string = "", id: string = ""): Digest {
  const { algorithm, encoding } = rule.settings;
  return { algorithm, encoding, key, signs: (body) => filled(signs, { body, timestamp, id }) };
}

function signaturesIn(value: string, { settings: { signatureList, signaturePrefix } }: Rule): string[] {
  const parts = signatureList === "single"
    ? [value]
    : value.split(SEPARATORS[signatureList]).map((part) => part.trim());
  return parts.filter((part) => part.startsWith(signaturePrefix)).slice(0, MOST_SIGNATURES)
    .map((part) => part.slice(signaturePrefix.length));
}

/** What is at a place that has to hold exactly one text, since that is signed. */
function inHeader(headers: Headers, { name, key }: HeaderPlace): string | Refusal {
  const value = headers.get(name);
  if (!value) return { authentic: false, fault: "missing", detail: `the header ${name} is missing` };
  if (key === null) return value;
  const [only, ...others] = entriesAt(value, key);
  if (only && others.length === 0) return only;
  return { authentic: false, fault: "malformed", detail: `the header ${name} does not have exactly one ${key}=` };
}

/** The time in a body whose signature is proven. */
function freshBody(delivery: Delivery, place: Place, { settings }: Rule, key: Uint8Array): Verdict {
  const ours = isResigned(delivery, key, settings.toleranceSeconds * 1000);
  if (ours.authentic || ours.fault !== "missing") return ours;
  const body = parsed(delivery.body);
  // It is the sender's, and reading it says best what is wrong.
  if (body === undefined) return authentic;
  const time = textAt([place], { headers: delivery.headers, body });
  if (time !== null) return freshAt(time, theTime, delivery.receivedAt, settings);
  return { authentic: false, fault: "missing", detail: `the body has no time at ${settings.timestamp}` };
}

function parsed(body: Uint8Array): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
