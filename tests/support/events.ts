import type { SerializedEvent } from "../../server/deps.ts";

/** An event of no source in particular. */
export function someEvent(
  {
    id = crypto.randomUUID(),
    type = "sample.thing.made",
    workspaceId = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11",
    occurredAt = "2026-01-02T03:04:05.678Z",
    text = "",
  }: { id?: string; type?: string; workspaceId?: string; occurredAt?: string; text?: string } = {},
): SerializedEvent {
  const event = {
    id,
    type,
    workspaceId,
    occurredAt,
    source: "sample",
    actor: { type: "user" as const, id: "1" },
    subject: { type: "thing", id: "1" },
    payload: { text },
  };
  return { event, json: JSON.stringify(event) };
}
