import { MalformedBodyError, parseJsonField } from "../kit/mod.ts";

/** What a parsed slash command calls itself, for Slack sends it without a `type`. */
export const COMMAND = "slash_command";

const INTERACTION = "payload";
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a form: an interaction is JSON in the field `payload`, a slash command is the fields themselves
 * (https://docs.slack.dev/interactivity/implementing-slash-commands).
 *
 * @throws {MalformedBodyError} if it is not UTF-8, or an interaction is not JSON
 */
export function parseForm(body: Uint8Array): unknown {
  const fields = new URLSearchParams(decode(body));
  if (fields.has(INTERACTION)) return parseJsonField(body, INTERACTION);
  return { ...Object.fromEntries(fields), type: COMMAND };
}

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new MalformedBodyError("Cannot read the body: it is not UTF-8 text");
  }
}
