import type { NormalizedEvent } from "@inlet/events-core";

/** Fills a template of routing keys (`AMQP_ROUTING_KEY`). */
export function routingKeyOf(
  template: string,
  { type, source, workspaceId }: Pick<NormalizedEvent, "type" | "source" | "workspaceId">,
): string {
  return template.replaceAll("{type}", type).replaceAll("{source}", source).replaceAll("{workspaceId}", workspaceId);
}
