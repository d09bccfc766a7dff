/** A client of Inlet's device connector for browsers and anything else with fetch and WebCrypto. Needs no library. */

/** What the connector's page in the dashboard gives, and what `deno task device-key` prints for this device. */
export interface DeviceClient {
  readonly webhookUrl: string;
  readonly deviceId: string;
  /** `whsec_…` */
  readonly key: string;
}

/** One event; a device that was offline gives the time when it happened. */
export interface DeviceEvent {
  readonly id?: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

/**
 * Signs a batch as Standard Webhooks says, and sends it. To send it again, pass the same `webhookId` and events: then
 * nothing comes twice.
 *
 * @throws {Error} if it was not accepted; send it again unless the status is 401 or 422
 */
export async function sendEvents(
  { webhookUrl, deviceId, key }: DeviceClient,
  events: readonly DeviceEvent[],
  webhookId: string = crypto.randomUUID(),
): Promise<number> {
  const body = JSON.stringify({ events });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const bytes = Uint8Array.from(atob(key.replace("whsec_", "")), (char) => char.charCodeAt(0));
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const signingKey = await crypto.subtle.importKey("raw", bytes, hmac, false, ["sign"]);
  const content = new TextEncoder().encode(`${webhookId}.${timestamp}.${body}`);
  const signature = btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign("HMAC", signingKey, content))));
  const headers = {
    "content-type": "application/json",
    "x-device-id": deviceId,
    "webhook-id": webhookId,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
  const response = await fetch(webhookUrl, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`Cannot send: Inlet answered ${response.status} ${await response.text()}`);
  return (await response.json()).published;
}
