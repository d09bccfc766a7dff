import type { DEVICE_CUSTOM_EVENTS, DeviceEventType } from "./types.ts";

/** What each event type means, in a sentence: what has happened, and when it comes. */
export const deviceEventDescriptions: Readonly<Record<DeviceEventType | typeof DEVICE_CUSTOM_EVENTS, string>> = {
  "device.app.closed": "An app was closed; payload.usedSeconds may tell how long it was open.",
  "device.app.crashed": "An app ended by a fault.",
  "device.app.installed": "An app was installed on the device.",
  "device.app.opened": "An app was opened, or came to the front.",
  "device.app.updated": "An app was updated; payload.previousVersion may tell from which version.",
  "device.battery.changed": "The device told how full its battery is, or that charging began or ended.",
  "device.battery.low": "The battery fell below what the device counts as low.",
  "device.custom.*":
    "An event of your own, whose name and JSON Schema are in the connector's settings: the name is the type's last word.",
  "device.health.recorded": "The device recorded measures of a body, such as heart rate, steps or sleep.",
  "device.location.entered": "The device came into a region that it knows by name, such as home.",
  "device.location.left": "The device left a region that it knows by name.",
  "device.location.updated": "The device told where it is.",
};
