import type { EventOf } from "@inlet/events-core";
import { z } from "zod";
import { DEVICE_CUSTOM_EVENTS, DeviceEventType } from "./types.ts";

const LONGEST_TEXT = 500;
const text = z.string().min(1).max(LONGEST_TEXT);
const positive = z.number().nonnegative();

/** What every payload may have. */
const common = {
  eventId: z.string().min(1).max(200).optional()
    .meta({ description: "The device's own id of the event; equal where it sent one event in two requests" }),
} as const;

/** Where the device is, in the terms of the W3C Geolocation API (https://www.w3.org/TR/geolocation/). */
export const devicePositionSchema = z.object({
  latitude: z.number().min(-90).max(90).meta({ description: "Degrees north of the equator, WGS 84" }),
  longitude: z.number().min(-180).max(180).meta({ description: "Degrees east of Greenwich, WGS 84" }),
  accuracyMeters: positive.optional().meta({ description: "Radius of 95 % confidence" }),
  altitudeMeters: z.number().optional().meta({ description: "Above the WGS 84 ellipsoid" }),
  altitudeAccuracyMeters: positive.optional().meta({ description: "Altitude is within this, with 95 % confidence" }),
  headingDegrees: z.number().min(0).max(360).optional().meta({
    description: "Direction of travel, clockwise of north",
  }),
  speedMetersPerSecond: positive.optional().meta({ description: "Speed over ground" }),
});

/** Payload of `device.location.updated`. */
export const deviceLocationPayloadSchema = devicePositionSchema.extend(common);

/** Payload of `device.location.updated`. */
export type DeviceLocationPayload = z.output<typeof deviceLocationPayloadSchema>;

/** Payload of `device.location.entered` and `.left`. */
export const deviceRegionPayloadSchema = z.object({
  region: text.meta({ description: "What the device calls the region, such as home" }),
  ...devicePositionSchema.partial().shape,
  ...common,
});

/** Payload of `device.location.entered` and `.left`. */
export type DeviceRegionPayload = z.output<typeof deviceRegionPayloadSchema>;

/** Payload of `device.health.recorded`: at least one measure. */
export const deviceHealthPayloadSchema = z.object({
  heartRateBpm: positive.max(1000).optional().meta({ description: "Heart beats in a minute" }),
  heartRateVariabilityMs: positive.optional().meta({ description: "Standard deviation of the time between beats" }),
  respiratoryRateBpm: positive.max(1000).optional().meta({ description: "Breaths in a minute" }),
  bloodOxygenRatio: z.number().min(0).max(1).optional().meta({ description: "Oxygen saturation, 0 to 1" }),
  bloodGlucoseMmolPerLiter: positive.optional().meta({ description: "Glucose in the blood" }),
  bloodPressureSystolicMmHg: positive.optional().meta({ description: "Blood pressure as the heart beats" }),
  bloodPressureDiastolicMmHg: positive.optional().meta({ description: "Blood pressure between beats" }),
  bodyTemperatureCelsius: z.number().min(0).max(100).optional().meta({ description: "Body temperature" }),
  bodyMassKilograms: positive.optional().meta({ description: "Weight" }),
  stepCount: z.int().nonnegative().optional().meta({ description: "Steps in the last durationSeconds" }),
  distanceMeters: positive.optional().meta({ description: "Way walked or run in the last durationSeconds" }),
  energyKilocalories: positive.optional().meta({ description: "Energy burnt in the last durationSeconds" }),
  sleepSeconds: positive.optional().meta({ description: "Time asleep in the last durationSeconds" }),
  durationSeconds: positive.optional().meta({ description: "The measures are of this time, which ends at occurredAt" }),
  ...common,
}).refine(
  ({ eventId: _, durationSeconds: __, ...measures }) => Object.values(measures).some((it) => it !== undefined),
  "must have at least one measure, such as heartRateBpm",
);

/** Payload of `device.health.recorded`. */
export type DeviceHealthPayload = z.output<typeof deviceHealthPayloadSchema>;

/** Payload of `device.battery.*`, in the terms of the W3C Battery Status API (https://www.w3.org/TR/battery-status/). */
export const deviceBatteryPayloadSchema = z.object({
  levelRatio: z.number().min(0).max(1).meta({ description: "How full it is: 0 empty, 1 full" }),
  charging: z.boolean().optional().meta({ description: "Whether it is being charged" }),
  chargingSeconds: positive.optional().meta({ description: "Until it is full, as estimated" }),
  dischargingSeconds: positive.optional().meta({ description: "Until it is empty, as estimated" }),
  ...common,
});

/** Payload of `device.battery.*`. */
export type DeviceBatteryPayload = z.output<typeof deviceBatteryPayloadSchema>;

/** Payload of `device.app.*`. */
export const deviceAppPayloadSchema = z.object({
  appId: text.meta({ description: "Stable id of the app, such as org.example.maps" }),
  appName: text.optional().meta({ description: "What people call it" }),
  appVersion: text.optional().meta({ description: "The version that is running" }),
  previousVersion: text.optional().meta({ description: "The version before an update" }),
  usedSeconds: positive.optional().meta({ description: "How long it was open, when it closes" }),
  reason: text.optional().meta({ description: "Why it closed or crashed, for people" }),
  ...common,
});

/** Payload of `device.app.*`. */
export type DeviceAppPayload = z.output<typeof deviceAppPayloadSchema>;

/** Payload of `device.custom.<name>`. */
export const deviceCustomPayloadSchema = z.object({
  data: z.record(z.string(), z.unknown())
    .meta({
      description: "What the device sent; it fits the JSON Schema that the event has in the connector's config",
    }),
  ...common,
});

/** Payload of `device.custom.<name>`. */
export type DeviceCustomPayload = z.output<typeof deviceCustomPayloadSchema>;

/**
 * The payload schema of every event type; that of custom events is under {@link DEVICE_CUSTOM_EVENTS}. They strip what
 * they do not know.
 */
export const devicePayloadSchemas = {
  [DeviceEventType.APP_CLOSED]: deviceAppPayloadSchema,
  [DeviceEventType.APP_CRASHED]: deviceAppPayloadSchema,
  [DeviceEventType.APP_INSTALLED]: deviceAppPayloadSchema,
  [DeviceEventType.APP_OPENED]: deviceAppPayloadSchema,
  [DeviceEventType.APP_UPDATED]: deviceAppPayloadSchema,
  [DeviceEventType.BATTERY_CHANGED]: deviceBatteryPayloadSchema,
  [DeviceEventType.BATTERY_LOW]: deviceBatteryPayloadSchema,
  [DEVICE_CUSTOM_EVENTS]: deviceCustomPayloadSchema,
  [DeviceEventType.HEALTH_RECORDED]: deviceHealthPayloadSchema,
  [DeviceEventType.LOCATION_ENTERED]: deviceRegionPayloadSchema,
  [DeviceEventType.LOCATION_LEFT]: deviceRegionPayloadSchema,
  [DeviceEventType.LOCATION_UPDATED]: deviceLocationPayloadSchema,
} as const;

/** Any event of the device connector, its payload told by its `type`. */
export type DeviceEvent = EventOf<typeof devicePayloadSchemas>;
