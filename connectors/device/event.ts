import { type Subject, subjectSchema } from "@inlet/events-core";
import {
  DEVICE_CUSTOM_EVENTS,
  devicePayloadSchemas,
  isDeviceCustomEventType,
  isDeviceEventType,
} from "@inlet/device-events";
import { z } from "zod";
import { type EventDraft, type Fault, faultsOf, TOLERANCE_MS } from "../kit/mod.ts";
import type { CustomEventCheck } from "./custom_events.ts";

const LAST_YEAR = 9999;
const text = z.string().min(1).max(500);
const eventSchema = z.strictObject({
  id: z.string().min(1).max(200).optional(),
  type: z.string(),
  timestamp: z.iso.datetime({ offset: true, error: "expected a time such as 2026-03-02T12:00:00Z (RFC 3339)" })
    .transform((time) => new Date(time))
    .refine((time) => time.getUTCFullYear() >= 0 && time.getUTCFullYear() <= LAST_YEAR, "is out of range"),
  data: z.record(z.string(), z.unknown()),
  subject: z.strictObject({ type: text, id: text, name: text.optional(), url: text.optional() }).optional(),
});
type DeviceEvent = z.output<typeof eventSchema>;

/** A misspelt field would be lost without a word: a device may send nothing that its payload does not have. */
const strictSchemas = new Map<string, z.ZodType<Record<string, unknown>>>(
  Object.entries(devicePayloadSchemas).map(([type, schema]) => [type, schema.strict()]),
);
const appSchema = z.object({ appId: z.string(), appName: z.string().optional() });

/** What is known of an event beside itself. */
export interface Context {
  /** The device that signed. */
  readonly deviceId: string;
  /** When the request arrived. */
  readonly receivedAt: Date;
  readonly customEvents: CustomEventCheck;
}

/** The draft that an event becomes, or what is wrong with it, each fault below the event. */
export type Read = { readonly draft: EventDraft } | { readonly faults: readonly Fault[] };

/** Reads one event of a device: its frame, its time, and its data by the schema of its type. */
export function readEvent(input: unknown, { deviceId, receivedAt, customEvents }: Context): Read {
  const parsed = eventSchema.safeParse(input);
  if (!parsed.success) return { faults: faultsOf(parsed.error) };
  const event = parsed.data;
  if (event.timestamp.getTime() > receivedAt.getTime() + TOLERANCE_MS) {
    return fault("/timestamp", `is more than ${TOLERANCE_MS / 1000} s ahead of this service's clock`);
  }
  const read = isDeviceEventType(event.type) ? readKnown(event) : readCustom(event, customEvents);
  if ("faults" in read) return read;
  const { payload } = read;
  return {
    draft: {
      type: event.type,
      occurredAt: event.timestamp,
      actor: { type: "device", id: deviceId },
      subject: event.subject ? subjectSchema.parse(event.subject) : subjectOf(event.type, payload, deviceId),
      payload,
      // No device's id holds a blank, so no delivery's id, which begins with one, is like it.
      ...(event.id !== undefined && { key: `event ${deviceId}/${event.id}` }),
    },
  };
}

type ReadPayload = { readonly payload: Record<string, unknown> } | { readonly faults: readonly Fault[] };

function readKnown(event: DeviceEvent): ReadPayload {
  if (Object.hasOwn(event.data, "eventId")) {
    return fault("/data/eventId", "is not known here: an event has its id in id");
  }
  return parsePayload(event.type, { ...event.data, ...idOf(event) });
}

function readCustom(event: DeviceEvent, customEvents: CustomEventCheck): ReadPayload {
  const name = event.type.split(".")[2] ?? "";
  if (!isDeviceCustomEventType(event.type)) return fault("/type", "is not known here");
  if (!customEvents.knows(name)) {
    return fault("/type", "is not known here: the connector's config defines no such custom event");
  }
  const faults = customEvents.faultsOf(name, event.data);
  if (faults.length > 0) return { faults: faults.map((each) => ({ ...each, pointer: `/data${each.pointer}` })) };
  return parsePayload(DEVICE_CUSTOM_EVENTS, { data: event.data, ...idOf(event) });
}

function parsePayload(type: string, payload: Record<string, unknown>): ReadPayload {
  const parsed = strictSchemas.get(type)?.safeParse(payload);
  if (parsed === undefined) return fault("/type", "is not known here");
  if (parsed.success) return { payload: parsed.data };
  return { faults: faultsOf(parsed.error).map((each) => ({ ...each, pointer: `/data${each.pointer}` })) };
}

function fault(pointer: string, detail: string): { readonly faults: readonly Fault[] } {
  return { faults: [{ pointer, detail }] };
}

function idOf({ id }: DeviceEvent): { eventId?: string } {
  return id === undefined ? {} : { eventId: id };
}

/** What an event concerns where it does not say: the app it tells of, else the device itself. */
function subjectOf(type: string, payload: Record<string, unknown>, deviceId: string): Subject {
  const app = type.startsWith("device.app.") ? appSchema.safeParse(payload).data : undefined;
  if (app === undefined) return { type: "device", id: deviceId };
  return { type: "app", id: app.appId, ...(app.appName !== undefined && { name: app.appName }) };
}
