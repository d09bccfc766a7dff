import { EVENT_TYPE_PATTERN, type NormalizedEvent } from "./event.ts";

/** The most bytes that AMQP 0-9-1 lets a routing key have: it is a short string. */
export const LONGEST_ROUTING_KEY_BYTES = 255;

/** The parts of an event type: `github.pr.opened` is the action `opened` of the entity `pr` of the source `github`. */
export interface EventTypeParts {
  readonly source: string;
  readonly entity: string;
  readonly action: string;
}

/** What a template of routing keys can name, with what each stands for in an event. */
const PLACES: ReadonlyMap<string, (event: Routed) => string> = new Map([
  ["type", ({ type }) => type],
  ["source", ({ source }) => source],
  ["workspaceId", ({ workspaceId }) => workspaceId],
]);

type Routed = Pick<NormalizedEvent, "type" | "source" | "workspaceId">;

/**
 * Splits an event type into its parts.
 *
 * @throws {TypeError} if it is none
 */
export function parseEventType(type: string): EventTypeParts {
  const [source, entity, action] = type.split(".");
  if (!EVENT_TYPE_PATTERN.test(type) || source === undefined || entity === undefined || action === undefined) {
    throw new TypeError(`Cannot split ${JSON.stringify(type)}: an event type is <source>.<entity>.<action>`);
  }
  return { source, entity, action };
}

/**
 * The routing key of an event by a template: `{type}`, `{source}` and `{workspaceId}` stand for what the event has, as in
 * the service's `AMQP_ROUTING_KEY`. `{type}` is the service's default.
 *
 * @throws {TypeError} if the template names what there is not, or the key is longer than
 * {@link LONGEST_ROUTING_KEY_BYTES}
 */
export function routingKeyOf(event: Routed, template = "{type}"): string {
  const key = filled(template, (name) => PLACES.get(name)?.(event));
  if (new TextEncoder().encode(key).length > LONGEST_ROUTING_KEY_BYTES) {
    throw new TypeError(`Cannot route ${event.type}: its key is longer than ${LONGEST_ROUTING_KEY_BYTES} bytes`);
  }
  return key;
}

/**
 * The binding that takes the events that `parts` name, whatever the rest: `bindingFor({ entity: "pr" })` is `*.pr.*`.
 * With a template, that of the service's routing keys; a `workspaceId` that is not given is any.
 *
 * @throws {TypeError} if the template names what there is not
 */
export function bindingFor(
  parts: Partial<EventTypeParts> & { readonly workspaceId?: string },
  template = "{type}",
): string {
  const { source = "*", entity = "*", action = "*", workspaceId = "*" } = parts;
  const places = new Map([["type", `${source}.${entity}.${action}`], ["source", source], ["workspaceId", workspaceId]]);
  return filled(template, (name) => places.get(name));
}

/**
 * Reads a routing key by the template that made it, and gives what stands at each place; `undefined` if it was not made
 * so.
 *
 * @throws {TypeError} if the template names what there is not
 */
export function parseRoutingKey(key: string, template = "{type}"): Partial<Routed> | undefined {
  filled(template, (name) => PLACES.has(name) ? "" : undefined);
  const names: string[] = [];
  const pattern = template.split(/(\{\w+\})/).map((part) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name === undefined) return part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    names.push(name);
    return name === "type" ? "([^.]+\\.[^.]+\\.[^.]+)" : "([^.]+)";
  });
  const found = new RegExp(`^${pattern.join("")}$`).exec(key);
  if (found === null) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, found[index + 1]]));
}

function filled(template: string, valueOf: (name: string) => string | undefined): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = valueOf(name);
    if (value !== undefined) return value;
    const known = [...PLACES.keys()].map((place) => `{${place}}`).join(", ");
    throw new TypeError(`Cannot use the routing key template: {${name}} is none of ${known}`);
  });
}
