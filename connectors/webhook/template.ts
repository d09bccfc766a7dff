const NAMES = ["body", "timestamp", "id"] as const;
const PLACEHOLDER = /(\{[^{}]*\})/;

/** What a sender signs: texts as they stand, and what is filled in. */
export type Template = readonly (string | { readonly filled: typeof NAMES[number] })[];

/** What is filled in. */
export type Values = Readonly<Record<typeof NAMES[number], string | Uint8Array>>;

/** Reads a template such as `{timestamp}.{body}`; `undefined` if it is none, or leaves out the body. */
export function templateOf(text: string): Template | undefined {
  const parts = text.split(PLACEHOLDER).filter((part) => part !== "").map((part) =>
    PLACEHOLDER.test(part) ? placeholder(part) : /[{}]/.test(part) ? undefined : part
  );
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length && fills(known, "body") ? known : undefined;
}

/** Whether a value has a place in a template. */
export function fills(template: Template, name: typeof NAMES[number]): boolean {
  return template.some((part) => typeof part !== "string" && part.filled === name);
}

/** The bytes that a sender signs, part by part. */
export function filled(template: Template, values: Values): (string | Uint8Array)[] {
  return template.map((part) => typeof part === "string" ? part : values[part.filled]);
}

function placeholder(part: string): Template[number] | undefined {
  const filled = NAMES.find((name) => part === `{${name}}`);
  return filled && { filled };
}
