import { z } from "zod";
import type { Fault } from "../kit/mod.ts";

const address = () =>
  z.string().trim().max(4000).refine(isAddress, "must begin with https://, http:// or webcal://")
    .refine((text) => !hasCredentials(text), "must not hold a user name or password: they have settings of their own");

/** The settings that are no secret. */
export const configShape = {
  url: address().optional().describe("Address of an ICS feed, a CalDAV calendar, or an account's CalDAV calendars"),
  kind: z.enum(["ics", "caldav"]).default("ics").describe("Whether that is a feed to download, or speaks CalDAV"),
  username: z.string().min(1).max(255).optional().describe("User name, if the server wants one"),
  timeZone: z.string().default("UTC").refine(isTimeZone, 'expected an IANA time zone, such as "Europe/Berlin"')
    .describe("IANA time zone of dates, and of times for which the calendar names none"),
  changes: z.boolean().default(true).describe("Tell when entries are created, updated or cancelled"),
  starts: z.boolean().default(true).describe("Tell when entries start"),
  ends: z.boolean().default(true).describe("Tell when entries end"),
  catchUpHours: z.int().min(1).max(168).default(24)
    .describe("After a pause, tell starts and ends that are no older than this many hours"),
  lookAheadDays: z.int().min(1).max(366).default(7).describe("How many days ahead recurring entries are worked out"),
  lookBackDays: z.int().min(0).max(3660).default(30)
    .describe("Entries that ended longer ago than this many days are not watched for changes"),
} as const;

/** The settings that are. */
export const secretsShape = {
  password: z.string().min(1).max(1024).optional().describe("Password, if the server wants one"),
  url: address().optional().meta({
    title: "Secret URL",
    description: "The address, where whoever knows it can read the calendar: a “secret address”",
  }),
} as const;

/** Settings that are no secret. */
export type CalendarConfig = z.output<z.ZodObject<typeof configShape>>;
/** Settings that are. */
export type CalendarSecrets = z.output<z.ZodObject<typeof secretsShape>>;

/** What the settings do not show one by one. */
export function faultsIn(settings: { readonly config: CalendarConfig; readonly secrets: CalendarSecrets }): Fault[] {
  const { config, secrets } = settings;
  const faults: Fault[] = [];
  if (config.url === undefined && secrets.url === undefined) {
    return [{ pointer: "/config/url", detail: "is required, unless the address is set as a secret" }];
  }
  if (config.url !== undefined && secrets.url !== undefined) {
    faults.push({ pointer: "/config/url", detail: "must be empty where the address is set as a secret" });
  }
  if (secrets.password !== undefined && config.username === undefined) {
    faults.push({ pointer: "/config/username", detail: "is required with a password" });
  }
  if (secrets.password !== undefined && isReadable(addressOf(settings))) {
    const pointer = secrets.url === undefined ? "/config/url" : "/secrets/url";
    faults.push({ pointer, detail: "must begin with https:// where there is a password: all could read that along" });
  }
  return faults;
}

/** Whether others could read what is sent there: without TLS, and not on this machine. */
function isReadable({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** The address of the calendar. `webcal:` is what browsers hand to calendar programs: HTTPS. */
export function addressOf({ config, secrets }: { config: CalendarConfig; secrets: CalendarSecrets }): URL {
  return new URL((secrets.url ?? config.url ?? "").replace(/^webcals?:/i, "https:"));
}

function isAddress(text: string): boolean {
  return /^(?:https?|webcals?):\/\//i.test(text) && URL.canParse(text.replace(/^webcals?:/i, "https:"));
}

function hasCredentials(text: string): boolean {
  if (!isAddress(text)) return false;
  const { username, password } = new URL(text.replace(/^webcals?:/i, "https:"));
  return username !== "" || password !== "";
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
