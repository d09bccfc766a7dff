/** The event types by name. Those of custom events are made by {@link deviceCustomEventType}. */
export const DeviceEventType = {
  APP_CLOSED: "device.app.closed",
  APP_CRASHED: "device.app.crashed",
  APP_INSTALLED: "device.app.installed",
  APP_OPENED: "device.app.opened",
  APP_UPDATED: "device.app.updated",
  BATTERY_CHANGED: "device.battery.changed",
  BATTERY_LOW: "device.battery.low",
  HEALTH_RECORDED: "device.health.recorded",
  LOCATION_ENTERED: "device.location.entered",
  LOCATION_LEFT: "device.location.left",
  LOCATION_UPDATED: "device.location.updated",
} as const;

/** An event type that the device connector always knows. */
export type DeviceEventType = (typeof DeviceEventType)[keyof typeof DeviceEventType];

/** Every event type that the device connector always knows, sorted. */
export const deviceEventTypes: readonly DeviceEventType[] = Object.values(DeviceEventType).sort();

/** Matches the type of every custom event, as a binding of a queue does. */
export const DEVICE_CUSTOM_EVENTS = "device.custom.*";

/** Matches the name of a custom event: the last segment of its type. */
export const DEVICE_CUSTOM_NAME_PATTERN: RegExp = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** The type of a custom event, whose name and schema an operator of Inlet chose. */
export type DeviceCustomEventType = `device.custom.${string}`;

/** The type of the custom event `name`: `device.custom.<name>`. */
export function deviceCustomEventType(name: string): DeviceCustomEventType {
  return `device.custom.${name}`;
}

const known = new Set<string>(deviceEventTypes);

/** Tells whether a type is one that the device connector of this version always knows; custom ones are not. */
export function isDeviceEventType(type: string): type is DeviceEventType {
  return known.has(type);
}

/** Tells whether a type is one that a custom event can have. */
export function isDeviceCustomEventType(type: string): type is DeviceCustomEventType {
  const [source, entity, name = "", ...more] = type.split(".");
  return source === "device" && entity === "custom" && more.length === 0 && DEVICE_CUSTOM_NAME_PATTERN.test(name);
}
