import type { Delivery, EventDraft, Receiver } from "../kit/mod.ts";
import { webhook } from "./mod.ts";

/** When the deliveries of the tests arrive. */
export const ARRIVAL = new Date("2026-03-02T12:00:00.000Z");

/** Of the form that every preset takes. */
export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1x7bXyP2a4Q=";

/** The connector opened with settings that it has nothing to object to. */
export function opened(config: Record<string, unknown>, signingSecret: string = SECRET): Receiver {
  const settings = { config, secrets: { signingSecret } };
  const faults = webhook.faultsOf(settings, true);
  if (faults.length > 0) throw new Error(`Cannot test: ${JSON.stringify(faults)}`);
  return webhook.open(settings);
}

/** A request that arrives at {@link ARRIVAL}, or then. */
export function request(headers: Record<string, string>, body: string, receivedAt: Date = ARRIVAL): Delivery {
  return { headers: new Headers(headers), body: new TextEncoder().encode(body), receivedAt };
}

/** The one event that a value becomes, sent as JSON and signed by the connector itself. */
export function normalized(
  config: Record<string, unknown>,
  body: unknown,
  headers: Record<string, string> = {},
): EventDraft {
  const receiver = opened({ signatureHeader: "x-signature", ...config });
  const unsigned = request(headers, JSON.stringify(body));
  const { drafts } = receiver.receive({ ...unsigned, headers: receiver.sign(unsigned) });
  const [draft] = drafts;
  if (draft === undefined || drafts.length > 1) throw new Error(`Cannot test: there are ${drafts.length} drafts`);
  return draft;
}
