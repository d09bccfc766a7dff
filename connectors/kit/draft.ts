import type { Actor, Subject } from "@inlet/events-core";
import type { z } from "zod";
import type { EventDraft } from "./connector.ts";
import { instant } from "./time.ts";
import type { Delivery } from "./webhook.ts";

/** A subject; a name or address that is not there is left out. */
export function subject(type: string, id: string | number, name: string | null, url: string | null): Subject {
  return { type, id: String(id), ...(name && { name }), ...(url && { url }) };
}

/** What one event's own reader tells of it. */
export interface Told<Payload> {
  readonly subject: Subject;
  /** The source's own time of the event, null where it gives none. */
  readonly at: string | null;
  readonly payload: Payload;
}

/** Makes the normalizer of an event whose deliveries always become exactly one draft, of the context's type. */
export function singleDraft<
  Body,
  Context extends { readonly type: string; readonly delivery: Delivery },
  Payload extends Record<string, unknown>,
>(
  schema: z.ZodType<Body>,
  actorOf: (body: Body) => Actor,
  tell: (body: Body, context: Context) => Told<Payload>,
): (input: unknown, context: Context) => readonly EventDraft[] {
  return (input, context) => {
    const body = schema.parse(input);
    const { subject, at, payload } = tell(body, context);
    const occurredAt = instant(at, context.delivery.receivedAt);
    return [{ type: context.type, occurredAt, actor: actorOf(body), subject, payload }];
  };
}
