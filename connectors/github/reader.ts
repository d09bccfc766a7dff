import type { GithubGenericPayload } from "@inlet/github-events";
import { z } from "zod";
import { firstText, list, looseText, present } from "../kit/mod.ts";
import { placesOf, WHOLE } from "./places.ts";
import { essentials, type Thing, thing } from "./thing.ts";

// Beside the main object everything is told if it is there: what is of another shape is left out, not refused.
const part = thing.nullish().catch(null);
const parts = list(thing).catch([]);
const scalar = z.union([z.string(), z.number(), z.boolean()]).nullish().catch(null);
const attached = z.record(z.string(), z.unknown()).nullish().catch(null);

const login = z.object({ login: looseText }).nullish().catch(null);
/** What an edit names whole, such as a category, by its name; a repository's former owner is a user or an organization. */
const named = z.object({ name: looseText, title: looseText, user: login, organization: login })
  .transform((it) => firstText(it.name, it.title, it.user?.login, it.organization?.login)).pipe(z.string());
const value = z.union([z.string(), z.number(), z.boolean(), named]).nullable();
const change = z.object({ from: value, to: value }).partial().catch({});
const changed = z.object({ changes: attached });

/** Reads the essentials of one event's deliveries. Throws a `ZodError` if the body is not what GitHub documents. */
export type Reader = (body: unknown) => {
  readonly object: Thing | null;
  readonly parts: Pick<GithubGenericPayload, "related" | "items" | "details" | "changes" | "data">;
};

/**
 * Makes the reader of an event, by where its essentials stand. A documented event has its main object, or null for one
 * that was deleted; what others have, nobody knows. Keep the reader: making one costs more than reading a body.
 */
export function readerOf(event: string, { documented }: { documented: boolean }): Reader {
  const { object = event, related = {}, items = {}, details = [], own = [], data } = placesOf(event);
  const mainSchema = z.object({ [object]: documented ? thing.nullable() : part });
  const relatedSchema = shapeOf(Object.keys(related), part);
  const itemsSchema = shapeOf(Object.keys(items), parts);
  const detailsSchema = shapeOf(details, scalar);
  const ownSchema = shapeOf(own, scalar);
  const dataSchema = shapeOf(data === undefined ? [] : [data], attached);
  return (body) => {
    const main = (object === WHOLE ? thing.parse(body) : mainSchema.parse(body)[object]) ?? null;
    return {
      object: main,
      parts: {
        ...relatedParts(relatedSchema.parse(body), related),
        ...itemParts(itemsSchema.parse(body), items),
        ...detailParts({ ...detailsSchema.parse(body), ...ownSchema.parse(main ?? {}) }),
        ...changeParts(changed.parse(body)),
        ...Object.values(dataSchema.parse(body)).map((data) => data && { data })[0],
      },
    };
  };
}

function shapeOf<T>(keys: readonly string[], schema: z.ZodType<T>): z.ZodType<Record<string, T>> {
  return z.object(Object.fromEntries(keys.map((key) => [key, schema])));
}

function relatedParts(
  found: Record<string, Thing | null | undefined>,
  types: Readonly<Record<string, string>>,
): Pick<GithubGenericPayload, "related"> {
  const related = Object.entries(found).flatMap(([key, it]) =>
    it ? [[camelCase(key), essentials(types[key] ?? key, it)]] : []
  );
  return related.length > 0 ? { related: Object.fromEntries(related) } : {};
}

function itemParts(
  found: Record<string, (Thing | null)[] | null | undefined>,
  types: Readonly<Record<string, string>>,
): Pick<GithubGenericPayload, "items"> {
  const items = Object.entries(found).flatMap(([key, list]) =>
    present(list).map((it) => essentials(types[key] ?? key, it))
  );
  return items.length > 0 ? { items } : {};
}

function detailParts(found: Record<string, z.output<typeof scalar>>): Pick<GithubGenericPayload, "details"> {
  const details = Object.entries(found).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [[camelCase(key), value]]
  );
  return details.length > 0 ? { details: Object.fromEntries(details) } : {};
}

function changeParts({ changes }: z.output<typeof changed>): Pick<GithubGenericPayload, "changes"> {
  // The old name of a repository stands deeper than all else that was changed.
  const all = { ...changes, ...attached.parse(changes?.repository) };
  const told = Object.entries(all).map(([key, value]) => [camelCase(key), change.parse(value)] as const)
    .filter(([, it]) => Object.keys(it).length > 0);
  return told.length > 0 ? { changes: Object.fromEntries(told) } : {};
}

function camelCase(key: string): string {
  return key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
