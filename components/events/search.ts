import { topicMatches } from "@inlet/events-core";

/** An event type, as far as it is searched. */
export interface Searched {
  readonly type: string;
  readonly title: string;
  readonly description: string;
}

/**
 * Makes the test that a search stands for: every word is in the type, its title or its description, in whatever case; or,
 * where there is a `*` or `#` in it, the type is what a binding of a topic exchange takes. An empty search finds all.
 */
export function searcher(search: string): (type: Searched) => boolean {
  const wanted = search.trim().toLowerCase();
  if (/[*#]/.test(wanted)) return ({ type }) => topicMatches(wanted, type);
  const words = wanted.split(/\s+/);
  return ({ type, title, description }) => {
    const text = `${type} ${title} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}
