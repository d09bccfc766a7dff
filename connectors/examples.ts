import { actorSchema, eventTypeSchema, subjectSchema } from "@inlet/events-core";
import { z } from "zod";
import type { EventDraft } from "./kit/mod.ts";

const exampleSchema = z.object({
  type: eventTypeSchema,
  occurredAt: z.iso.datetime().transform((text) => new Date(text)),
  actor: actorSchema,
  subject: subjectSchema,
  payload: z.record(z.string(), z.unknown()),
  key: z.string().optional(),
});

/** A draft that became of a real or a realistic delivery. */
export type Example = Omit<EventDraft, "key"> & { readonly key?: string | undefined };

/**
 * The example of a trigger; `undefined` if there is none. `examples.json` is written by `deno task docs`, and loaded when
 * it is first asked for: most processes never are.
 */
export async function readEventExample(trigger: string): Promise<Example | undefined> {
  const { default: examples } = await import("./examples.json", { with: { type: "json" } });
  const found = Object.entries(examples).find(([name]) => name === trigger);
  return found && exampleSchema.parse(found[1]);
}
