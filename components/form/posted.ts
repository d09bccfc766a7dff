import type { FormFault } from "./faults.ts";
import type { Field } from "./fields.ts";

/** The part of the settings that a field belongs to, as in the JSON Pointers of faults. */
export type Part = "config" | "secrets";

/** The name of a field's entry in the posted form. */
export function entryOf(part: Part, { name }: Pick<Field, "name">): string {
  return `${part}.${name}`;
}

/** The name of the entry that clears a secret. */
export function clearEntryOf({ name }: Pick<Field, "name">): string {
  return `clear.${name}`;
}

/** The name of the entry that says which secret was made up for a field. */
export function suggestedEntryOf({ name }: Pick<Field, "name">): string {
  return `suggested.${name}`;
}

/**
 * Turns a posted form back into the JSON that the fields' schema describes. What was left empty is left out. What cannot
 * be what the schema asks for is passed on as it was typed, so that whoever checks it can say so.
 */
export function readPosted(part: Part, fields: readonly Field[], form: URLSearchParams): Record<string, unknown> {
  const entries = fields.map((field) => [field.name, valueOf(field, form.get(entryOf(part, field)))]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** {@link readPosted} for secrets: left empty, one stays as it is; cleared, it is `null`. */
export function readPostedSecrets(fields: readonly Field[], form: URLSearchParams): Record<string, unknown> {
  const cleared = fields.filter((field) => form.has(clearEntryOf(field))).map(({ name }) => [name, null]);
  return { ...Object.fromEntries(cleared), ...readPosted("secrets", fields, form) };
}

/** The secrets that were posted as they were made up, by name: the source may have them by now. */
export function postedSuggestions(fields: readonly Field[], form: URLSearchParams): Record<string, string> {
  const posted = fields.map((
    field,
  ) => [field.name, form.get(suggestedEntryOf(field)), form.get(entryOf("secrets", field))]);
  return Object.fromEntries(posted.filter(([, suggested, entered]) => suggested !== null && suggested === entered));
}

/** The faults to show: of a text that is to be JSON and is not, nothing else is of use. */
export function readableFaults(
  faults: readonly FormFault[],
  fields: readonly Field[],
  form: URLSearchParams,
): FormFault[] {
  const broken = new Set(
    fields.filter(({ kind }) => kind === "json")
      .filter((field) => !isJson(form.get(entryOf("config", field))?.trim() || "null"))
      .map(({ name }) => `/config/${name}`),
  );
  return faults.map((fault) => broken.has(fault.pointer ?? "") ? { ...fault, detail: "is not JSON" } : fault);
}

/** What was typed, for showing the form again. Not for secrets. */
export function typedTexts(fields: readonly Field[], form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field.name, form.get(entryOf("config", field)) ?? ""]));
}

/** A stored config as the texts of its form; what is not stored has its default. */
export function storedTexts(fields: readonly Field[], config: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field.name, textOf(field, config[field.name] ?? field.default)]));
}

function valueOf({ kind, options, emptyIsNull }: Field, entered: string | null): unknown {
  if (kind === "flag") return entered !== null;
  if (kind === "list") return (entered ?? "").split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const text = entered?.trim() ?? "";
  if (text === "") return emptyIsNull ? null : undefined;
  if (kind === "choice") return options.find((option) => option.text === text)?.value ?? text;
  if (kind === "number") return Number.isFinite(Number(text)) ? Number(text) : text;
  return kind === "json" ? parsed(text) : text;
}

function parsed(text: string): unknown {
  return isJson(text) ? JSON.parse(text) : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function textOf({ kind }: Field, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (kind === "flag") return value === true ? "on" : "";
  if (kind === "list" && Array.isArray(value)) return value.join("\n");
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}
