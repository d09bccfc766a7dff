import { createHmac } from "node:crypto";
import { z } from "zod";

/** The header in which a request names its device, in lower case. It selects the key, so a forged one does not verify. */
export const DEVICE_ID = "x-device-id";

/** The id of a device, as whoever enrols it chooses: up to 128 letters, digits, and `.`, `_`, `:` or `-` within. */
export const deviceIdSchema: z.ZodString = z.string().regex(
  /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/,
  "expected 1 to 128 letters, digits and . _ : -, the first a letter or digit",
);

/**
 * The key with which one device signs: `whsec_` and, in base64, HMAC-SHA256 of `inlet-device:<deviceId>` under the master
 * secret (RFC 2104). Who holds it can derive neither the master secret nor the key of another device.
 */
export function deviceKey(masterSecret: string, deviceId: string): string {
  return `whsec_${createHmac("sha256", masterSecret).update(`inlet-device:${deviceId}`).digest("base64")}`;
}
