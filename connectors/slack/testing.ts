import { type SlackEventType, type SlackPayload, slackPayloadSchemas } from "@inlet/slack-events";
import type { Delivery, EventDraft, Received } from "../kit/mod.ts";
import { slack } from "./mod.ts";

/** The secret that tests sign with: that of Slack's published example. */
export const SECRET = "8f742231b10e8888abcd99yyyzzz85a5";

/** When the deliveries of tests arrive, unless they say otherwise: later than anything they tell of. */
export const RECEIVED_AT: Date = new Date("2030-01-01T00:00:00.000Z");

const receiver = slack.open({ config: {}, secrets: { signingSecret: SECRET } });

/** A delivery of this text, signed. */
export function signed(text: string, headers: Record<string, string>, receivedAt: Date = RECEIVED_AT): Delivery {
  const unsigned = { headers: new Headers(headers), body: new TextEncoder().encode(text), receivedAt };
  return { ...unsigned, headers: receiver.sign(unsigned) };
}

/** A delivery of JSON, as events come, signed. */
export function json(body: unknown): Delivery {
  return signed(JSON.stringify(body), { "content-type": "application/json" });
}

/** A delivery of a form, as commands come, signed. */
export function form(fields: Record<string, string>): Delivery {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return signed(new URLSearchParams(fields).toString(), headers);
}

/** A delivery of an interaction, signed. */
export function interaction(payload: unknown): Delivery {
  return form({ payload: JSON.stringify(payload) });
}

/** An event in the envelope that the Events API sends it in. */
export function enveloped(event: unknown): Record<string, unknown> {
  return { type: "event_callback", team_id: "T1", api_app_id: "A1", event_id: "Ev1", event_time: 1700000000, event };
}

/** What the connector makes of a delivery. */
export function received(delivery: Delivery, config: Record<string, unknown> = {}): Received {
  return slack.open({ config, secrets: { signingSecret: SECRET } }).receive(delivery);
}

/** The one draft that the connector makes of an event. Throws if it makes none, or several. */
export function draftOf(event: unknown): EventDraft {
  const { drafts: [draft, ...more] } = received(json(enveloped(event)));
  if (draft === undefined || more.length > 0) throw new Error("not one event");
  return draft;
}

/** A draft's payload, read as a consumer of the type reads it. Throws if the draft is of another type. */
export function payloadOf<Type extends SlackEventType>(draft: EventDraft, type: Type): SlackPayload<Type>;
export function payloadOf(draft: EventDraft, type: SlackEventType): unknown {
  if (draft.type !== type) throw new Error(`${draft.type} is not ${type}`);
  return slackPayloadSchemas[type].parse(draft.payload);
}
