import { z } from "zod";
import { isForm, type Reply } from "../kit/mod.ts";
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
