// Not by the package's name: its schemas would come along, and weigh more than the rest of the page.
import { topicMatches } from "../../packages/events-core/topic.ts";
import type { StreamEvent } from "./event.ts";

/** Which events are shown; `""` leaves all. */
export interface StreamFilter {
  /** The beginning of the type, or a pattern of a topic exchange, if it has `*` or `#` in it. */
  readonly type: string;
  readonly source: string;
  /** Anywhere in the event, in whatever case. */
  readonly text: string;
}

/** The longest value that a filter takes. */
export const MOST_FILTER_LENGTH = 200;

/** Makes the test that a filter stands for. */
export function matcher({ type, source, text }: StreamFilter): (event: StreamEvent) => boolean {
  const ofType = typeMatcher(type.trim());
  const hasText = textMatcher(text.trim());
  return (event) => (source === "" || event.source === source) && ofType(event.type) && hasText(event.json);
}

function typeMatcher(wanted: string): (type: string) => boolean {
  if (!/[*#]/.test(wanted)) return (type) => type.startsWith(wanted);
  const pattern = wanted.replace(/(?:#\.)+#/g, "#"); // Means the same, and does not multiply the ways to match.
  return (type) => topicMatches(pattern, type);
}

function textMatcher(wanted: string): (json: string) => boolean {
  if (wanted === "") return () => true;
  const asWritten = JSON.stringify(wanted).slice(1, -1);
  const pattern = new RegExp(asWritten.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"), "i");
  return (json) => pattern.test(json);
}

/** Reads the filter that a page's address holds. */
export function readFilter(query: URLSearchParams): StreamFilter {
  const read = (name: string) => (query.get(name) ?? "").slice(0, MOST_FILTER_LENGTH);
  return { type: read("type"), source: read("source"), text: read("text") };
}

/** Writes a filter for a page's address: `""`, or `?` and what {@link readFilter} reads. */
export function writeFilter(filter: StreamFilter): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value.trim() !== ""));
  return query.size === 0 ? "" : `?${query}`;
}
