import { calendarEventDescriptions, calendarPayloadSchemas } from "@inlet/calendar-events";
import { definePoller, type PollerConnector } from "../kit/mod.ts";
import { cursorSchema } from "./cursor.ts";
import { configShape, faultsIn, secretsShape } from "./settings.ts";

/** A calendar: an ICS feed (RFC 5545) or a CalDAV server (RFC 4791, with RFC 6578 where it has it). */
export const calendar: PollerConnector = definePoller({
  id: "calendar",
  name: "Calendar",
  description: "Changes to calendars, and the starts and ends of their entries, from ICS feeds and CalDAV servers.",
  documentationUrl: "https://www.rfc-editor.org/rfc/rfc5545",
  payloads: calendarPayloadSchemas,
  descriptions: calendarEventDescriptions,
  config: configShape,
  secrets: secretsShape,
  secretsGoTo: ["url"],
  check: faultsIn,
  cursor: cursorSchema,
  timeoutMs: 120_000,
  async poll(request) {
    // The parsers are loaded only where a calendar is used.
    const { pollCalendar } = await import("./poll.ts");
    return await pollCalendar(request);
  },
});
