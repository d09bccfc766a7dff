/**
 * The device connector: apps and devices of one's own that send events by themselves, normalized into the types and
 * payloads of `@inlet/device-events`.
 *
 * @module
 */
import { deviceEventDescriptions, devicePayloadSchemas } from "@inlet/device-events";
import { z } from "zod";
import {
  defineWebhook,
  type Delivery,
  standardWebhooks,
  standardWebhooksHeaders,
  type Verdict,
  type WebhookConnector,
} from "../kit/mod.ts";
import { CustomEventCheck, customEventsSchema } from "./custom_events.ts";
import { DEVICE_ID, deviceIdSchema, deviceKey } from "./device_key.ts";
import { normalize } from "./normalize.ts";
import { parse } from "./parse.ts";

const WEBHOOK_ID = "webhook-id";
const LONGEST_WEBHOOK_ID = 200;
const MOST_EVENTS = 1000;

/**
 * Receives what devices send, signed as Standard Webhooks says
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md) with the key of the device
 * that `x-device-id` names. A retry keeps its `webhook-id`, and so its events keep their ids.
 */
export const device: WebhookConnector = defineWebhook({
  id: "device",
  name: "Devices",
  description: "What your own apps and devices send: location, health, battery, apps, and events that you define.",
  documentationUrl: "https://www.standardwebhooks.com",
  payloads: devicePayloadSchemas,
  descriptions: deviceEventDescriptions,
  headers: [DEVICE_ID, WEBHOOK_ID],
  config: {
    customEvents: customEventsSchema.default({}).describe(
      "Events of your own: a name for each, and the JSON Schema (draft 2020-12) of its data",
    ),
    maxBatchSize: z.int().min(1).max(MOST_EVENTS).default(100).describe("Most events in one request"),
    revokedDevices: z.array(deviceIdSchema).default([]).describe("Ids of devices whose keys are not accepted any more"),
  },
  secrets: {
    masterSecret: z.string().min(32).describe(
      "What the keys of all devices are derived from; at least 32 random characters (openssl rand -hex 32)",
    ),
  },
  verify: (delivery, { masterSecret }, { revokedDevices }) => verify(delivery, masterSecret, revokedDevices),
  sign: (request, { masterSecret }) => standardWebhooksHeaders(request, deviceKey(masterSecret, deviceOf(request))),
  parse,
  // A webhook-id is its device's choice: what another device chose is another delivery.
  deliveryId: (_, delivery) => `${deviceOf(delivery)}/${delivery.headers.get(WEBHOOK_ID) ?? ""}`,
  normalize: (body, delivery, { customEvents, maxBatchSize }) =>
    normalize(body, {
      deviceId: deviceOf(delivery),
      receivedAt: delivery.receivedAt,
      customEvents: new CustomEventCheck(customEvents),
      maxBatchSize,
    }),
});

function deviceOf({ headers }: Delivery): string {
  return headers.get(DEVICE_ID) ?? "";
}

function verify(delivery: Delivery, masterSecret: string, revokedDevices: readonly string[]): Verdict {
  const deviceId = deviceOf(delivery);
  if (deviceId === "") return refused("missing", `the header ${DEVICE_ID} is missing`);
  if (!deviceIdSchema.safeParse(deviceId).success) {
    return refused("malformed", `the header ${DEVICE_ID} is not 1 to 128 letters, digits and . _ : -`);
  }
  if ((delivery.headers.get(WEBHOOK_ID) ?? "").length > LONGEST_WEBHOOK_ID) {
    return refused("malformed", `the header ${WEBHOOK_ID} is longer than ${LONGEST_WEBHOOK_ID} characters`);
  }
  const verdict = standardWebhooks(delivery, deviceKey(masterSecret, deviceId));
  // Only who holds the device's key learns that it is revoked.
  return verdict.authentic && revokedDevices.includes(deviceId)
    ? refused("unset", "the device is revoked, so it has no key: give it a new id and the key of that")
    : verdict;
}

function refused(fault: "missing" | "malformed" | "unset", detail: string): Verdict {
  return { authentic: false, fault, detail };
}
