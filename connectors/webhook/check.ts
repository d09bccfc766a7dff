import type { Fault } from "../kit/mod.ts";
import { keyOf } from "./key.ts";
import { EVENT_PLACES, type Rule, ruleOf } from "./rule.ts";
import type { Preset, WebhookConfig, WebhookSecrets } from "./settings.ts";
import { fills } from "./template.ts";

/** What these hold is nobody's business but the receiver's, and what is kept of a delivery must not have it. */
const CREDENTIALS = ["authorization", "cookie", "proxy-authorization"];

const SHORTEST_KEY_BYTES = 16;
const SPELLINGS: Readonly<Record<Preset["secretEncoding"], string>> = {
  utf8: "a text",
  hex: "hexadecimal digits",
  base64: "base64",
  whsec: '"whsec_" and base64',
};

/** What no single setting shows to be wrong. */
export function check({ config, secrets }: { config: WebhookConfig; secrets: WebhookSecrets }): Fault[] {
  const rule = ruleOf(config);
  return [
    ...headerFaults(rule),
    ...contentFaults(rule),
    ...placeFaults(rule),
    ...secretFaults(rule.settings, secrets),
  ];
}

function headerFaults({ settings, signatureHeader, time }: Rule): Fault[] {
  const { signatureList, signaturePrefix } = settings;
  const isList = signatureList === "comma";
  return [
    ...signatureHeader === ""
      ? at("signatureHeader", "is required: name the header that carries the signature, or choose a preset")
      : [],
    ...time?.in === "header" && time.name === signatureHeader && (time.key === null || !isList)
      ? at("timestamp", 'stands in the signature\'s header: name its entry (#t), and choose the signatureList "comma"')
      : [],
    ...time?.in === "header" && time.name === signatureHeader && signaturePrefix.startsWith(`${time.key}=`)
      ? at("signaturePrefix", "is how the time begins in that header: a signature could not be told from it")
      : [],
    ...(isList && signaturePrefix.includes(",")) || (signatureList !== "single" && signaturePrefix.includes(" "))
      ? at("signaturePrefix", "holds what separates the signatureList: no part of it can begin so")
      : [],
  ];
}

function contentFaults({ settings, signs, time, signedId }: Rule): Fault[] {
  if (signs === undefined) {
    return at("signedContent", "expected a text with {body}; {timestamp} and {id} are all else that can be filled in");
  }
  const signsTime = fills(signs, "timestamp");
  return [
    ...signsTime && time?.in !== "header"
      ? at("timestamp", "is required: signedContent has {timestamp}, so name the header that it stands in")
      : [],
    ...!signsTime && time?.in === "header"
      ? at("timestamp", "is not signed, so anybody could set it: put {timestamp} into signedContent, or name none")
      : [],
    ...fills(signs, "id") && (signedId === undefined || settings.deliveryId.includes(" "))
      ? at("deliveryId", "is required: signedContent has {id}, so name the one header that it stands in")
      : [],
  ];
}

function placeFaults({ at: places, signatureHeader }: Rule): Fault[] {
  return EVENT_PLACES.flatMap((setting) => {
    const names = places[setting].flatMap((place) => place.in === "header" ? [place.name] : []);
    const secret = names.find((name) => name === signatureHeader || CREDENTIALS.includes(name));
    return secret === undefined ? [] : at(setting, `the header ${secret} holds proof, and no event is made of that`);
  });
}

function secretFaults({ secretEncoding }: Preset, { signingSecret }: WebhookSecrets): Fault[] {
  const key = keyOf(signingSecret, secretEncoding);
  if (key !== undefined && key.length >= SHORTEST_KEY_BYTES) return [];
  const detail = `expected ${SPELLINGS[secretEncoding]} of at least ${SHORTEST_KEY_BYTES} bytes`;
  return [{ pointer: "/secrets/signingSecret", detail }];
}

function at(setting: keyof WebhookConfig, detail: string): Fault[] {
  return [{ pointer: `/config/${setting}`, detail }];
}
