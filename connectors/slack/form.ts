import { decodeUtf8, parseJsonField } from "../kit/mod.ts";

/** What a parsed slash command calls itself, for Slack sends it without a `type`. */
export const COMMAND = "slash_command";

const INTERACTION = "payload";

/**
 * Parses a form: an interaction is JSON in the field `payload`, a slash command is the fields themselves
 * (https://docs.slack.dev/interactivity/implementing-slash-commands).
 *
 * @throws {MalformedBodyError} if it is not UTF-8, or an interaction is not JSON
 */
export function parseForm(body: Uint8Array): unknown {
  const fields = new URLSearchParams(decodeUtf8(body));
  if (fields.has(INTERACTION)) return parseJsonField(body, INTERACTION);
  return { ...Object.fromEntries(fields), type: COMMAND };
}
