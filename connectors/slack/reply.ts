import { z } from "zod";
import { type Delivery, formField, isForm, type Reply } from "../kit/mod.ts";
import { COMMAND } from "./form.ts";

const NOTHING: Reply = { contentType: "text/plain", body: "" };
const JSON_TYPE = "application/json";

const question = z.object({ type: z.string(), ssl_check: z.string().optional(), actions: z.unknown().optional() });
const challenged = z.object({ challenge: z.string() });

/**
 * The answer to requests that tell nothing, but ask: whether the URL is the app's own
 * (https://docs.slack.dev/reference/events/url_verification), whether its certificate is good, and which options a menu
 * has. Inlet knows no options, and Slack shows an error for any other answer than a list.
 */
export function handshake(body: unknown): Reply | undefined {
  const { type, ssl_check, actions } = question.parse(body);
  switch (type) {
    case "url_verification":
      return { contentType: JSON_TYPE, body: JSON.stringify({ challenge: challenged.parse(body).challenge }) };
    case COMMAND:
      return ssl_check === "1" ? NOTHING : undefined;
    case "interactive_message":
      return actions === undefined ? noOptions() : undefined;
    case "block_suggestion":
    case "dialog_suggestion":
      return noOptions();
    default:
      return undefined;
  }
}

/** A check of a certificate has two short fields. */
const LONGEST_CHECK_BYTES = 200;

/**
 * The answer to a check of a certificate that is not signed: Slack's own frameworks answer it before they look for a
 * signature. It comes now and then to the commands of an app that is publicly distributed, and wants a 200
 * (https://docs.slack.dev/interactivity/implementing-slash-commands).
 */
export function certificateCheck({ headers, body }: Delivery): Reply | undefined {
  if (!isForm(headers) || body.length > LONGEST_CHECK_BYTES) return undefined;
  return formField(new TextDecoder().decode(body), "ssl_check") === "1" ? NOTHING : undefined;
}

/**
 * What interactions and commands are answered with: nothing. Slack takes any other body for a message to show, or for what
 * is to become of a modal (https://docs.slack.dev/interactivity/handling-user-interaction).
 */
export function acknowledge(headers: Headers): Reply | undefined {
  return isForm(headers) ? NOTHING : undefined;
}

function noOptions(): Reply {
  return { contentType: JSON_TYPE, body: JSON.stringify({ options: [] }) };
}
