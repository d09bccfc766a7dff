import type { z } from "zod";

/** What the events of a source are called: for each entity its actions, such as `{ pr: ["closed", "opened"] }`. */
export type Vocabulary = Readonly<Record<string, readonly string[]>>;

/** The event types that a source's id and its vocabulary make: `"gitlab.pr.closed" | "gitlab.pr.opened"`. */
export type EventTypeOf<Id extends string, Words extends Vocabulary> = {
  [Entity in keyof Words & string]: `${Id}.${Entity}.${Words[Entity][number]}`;
}[keyof Words & string];

/** The event types by name: `{ PR_OPENED: "gitlab.pr.opened" }`. */
export type EventTypeConstants<Type extends string> = {
  readonly [
    Each in Type as Each extends `${string}.${infer Entity}.${infer Action}` ? Uppercase<`${Entity}_${Action}`>
      : never
  ]: Each;
};

/** The payload schema of each type: that of its entity, or `Other` where its entity has none of its own. */
export type PayloadSchemasOf<Type extends string, ByEntity, Other> = {
  readonly [Each in Type]: Each extends `${string}.${infer Entity}.${string}`
    ? Entity extends keyof ByEntity ? ByEntity[Entity] : Other
    : never;
};

// TypeScript cannot follow names made at run time: the first signatures state what the types above derive, and tests
// prove that the values agree.

/** Makes the constants of a source's event types from its vocabulary. */
export function eventTypeConstants<Id extends string, Words extends Vocabulary>(
  id: Id,
  words: Words,
): EventTypeConstants<EventTypeOf<Id, Words>>;
export function eventTypeConstants(id: string, words: Vocabulary): Record<string, string> {
  return Object.fromEntries(
    Object.entries(words).flatMap(([entity, actions]) =>
      actions.map((action) => [`${entity}_${action}`.toUpperCase(), `${id}.${entity}.${action}`])
    ),
  );
}

/** Makes the table of payload schemas of event types, from those of entities. */
export function payloadSchemasOf<
  Type extends string,
  ByEntity extends Readonly<Record<string, z.ZodType>>,
  Other extends z.ZodType,
>(types: readonly Type[], byEntity: ByEntity, other: Other): PayloadSchemasOf<Type, ByEntity, Other>;
export function payloadSchemasOf(
  types: readonly string[],
  byEntity: Readonly<Record<string, z.ZodType>>,
  other: z.ZodType,
): Record<string, z.ZodType> {
  const known = new Map(Object.entries(byEntity));
  return Object.fromEntries(types.map((type) => [type, known.get(type.split(".")[1] ?? "") ?? other]));
}
