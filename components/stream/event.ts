import { plainText } from "./json.ts";

/** An event of the live stream, with what its row shows at hand. */
export interface StreamEvent {
  /** Counts up in the order of arrival. */
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly source: string;
  /** RFC 3339, as the source told it. */
  readonly occurredAt: string;
  /** Name, or else type and id. */
  readonly subject: string;
  readonly actor: string;
  /** The whole event as it came. */
  readonly json: string;
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number;
}

/** A row shows no more of a name than this. */
const MOST_SHOWN = 200;

/**
 * Reads a message of the live stream; `undefined` if it is no event. Only what a row shows is looked at: a schema
 * library would weigh more than the rest of the page, and the service sends what it has checked.
 */
export function readEvent(json: string, seq: number, arrivedAt: number): StreamEvent | undefined {
  const event = parse(json);
  const [id, type] = [text(event, "id"), text(event, "type")];
  if (id === "" || type === "") return undefined;
  const subject = get(event, "subject");
  const actor = get(event, "actor");
  return {
    seq,
    id,
    type,
    source: text(event, "source"),
    occurredAt: text(event, "occurredAt"),
    subject: shorten(text(subject, "name") || `${text(subject, "type")} ${text(subject, "id")}`),
    actor: shorten(text(actor, "name") || text(actor, "id")),
    json,
    arrivedAt,
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function get(value: unknown, name: string): unknown {
  return value instanceof Object && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

function text(value: unknown, name: string): string {
  const found = get(value, name);
  return typeof found === "string" ? found : "";
}

function shorten(name: string): string {
  return plainText(name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN)}…` : name);
}
