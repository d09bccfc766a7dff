import { EVENT_TYPE_PATTERN, topicMatches } from "@inlet/events-core";
import type { z } from "zod";
import type { Connector } from "../../connectors/kit/mod.ts";

/** An event type that a connector can emit. */
export interface EventType {
  /** The type; a topic pattern, such as `webhook.*.*`, where types depend on a workspace's settings. */
  readonly type: string;
  /** The connector's id, and its name for people. */
  readonly source: string;
  readonly sourceName: string;
  readonly entity: string;
  readonly action: string;
  /** The type in words. */
  readonly title: string;
  /** What it means, in a sentence. */
  readonly description: string;
  readonly payload: z.ZodType;
}

/** Every event type of the connectors, in their order. */
export function eventTypesOf(connectors: Iterable<Connector>): EventType[] {
  return [...connectors].flatMap(({ manifest: { id, name }, payloads, descriptions }) =>
    Object.entries(payloads).map(([type, payload]): EventType => {
      const [, entity = "", action = ""] = type.split(".");
      const title = titleOf(name, entity, action);
      return {
        type,
        source: id,
        sourceName: name,
        entity,
        action,
        title,
        description: descriptions[type] ?? title,
        payload,
      };
    })
  );
}

/** The entry of a type: its own, or that of the pattern it matches. */
export function findEventType(types: readonly EventType[], type: string): EventType | undefined {
  const own = types.find((each) => each.type === type);
  return own ?? (EVENT_TYPE_PATTERN.test(type) ? types.find((each) => topicMatches(each.type, type)) : undefined);
}

/**
 * Makes the function that gives the trigger of an event type: the type itself, or the pattern that stands for it. A type
 * that is none of the connectors' is given as it is.
 */
export function triggerFinder(connectors: Iterable<Connector>): (type: string) => string {
  const triggers = new Set([...connectors].flatMap(({ manifest }) => manifest.triggers));
  const patterns = [...triggers].filter(isPattern);
  return (type) => triggers.has(type) ? type : patterns.find((pattern) => topicMatches(pattern, type)) ?? type;
}

/** Whether a type stands for many. */
export function isPattern(type: string): boolean {
  return type.includes("*");
}

function titleOf(name: string, entity: string, action: string): string {
  if (entity === "*") return `${name}: any event that its sender names`;
  const words = `${entity} ${action}`.replaceAll(/[_-]/g, " ").replace(/\bpr\b/, "PR");
  return `${name}: ${action === "*" ? words.replace("*", "event of any name") : words}`;
}
