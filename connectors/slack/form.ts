import { decodeUtf8, formField, parseJsonField } from "../kit/mod.ts";

/** What a parsed slash command calls itself, for Slack sends it without a `type`. */
export const COMMAND = "slash_command";

const INTERACTION = "payload";

/** A slash command has some fifteen; more are not read. */
const MOST_FIELDS = 100;

/**
 * Parses a form: an interaction is JSON in the field `payload`, a slash command is the fields themselves
 * (https://docs.slack.dev/interactivity/implementing-slash-commands).
 *
 * @throws {MalformedBodyError} if it is not UTF-8, or an interaction is not JSON
 */
export function parseForm(body: Uint8Array): unknown {
  const form = decodeUtf8(body);
  if (formField(form, INTERACTION) !== null) return parseJsonField(body, INTERACTION);
  const fields = new URLSearchParams(form.split("&", MOST_FIELDS).join("&"));
  return { ...Object.fromEntries(fields), type: COMMAND };
}
