import { z } from "zod";

/** What zod calls the kinds of values, in the words of whoever writes settings or sends JSON. */
const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  bigint: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  map: "an object",
  array: "a list",
  tuple: "a list",
  set: "a list",
  date: "a time",
  null: "null",
};

const FORMATS: Readonly<Record<string, string>> = {
  url: "a URL",
  email: "an e-mail address",
  uuid: "a UUID",
  guid: "a UUID",
  datetime: "a time such as 2026-03-02T12:00:00Z (RFC 3339)",
  date: "a date such as 2026-03-02",
  base64: "base64",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
};

const UNITS: Readonly<Record<string, readonly [one: string, more: string]>> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
  set: ["entry", "entries"],
  map: ["entry", "entries"],
};

const either = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value) ?? String(value)).join(", ");

function amount(count: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  return unit === undefined ? String(count) : `${count} ${unit[Number(count) === 1 ? 0 : 1]}`;
}

function kindOf(value: unknown): string | undefined {
  if (value === null) return KINDS.null;
  return KINDS[Array.isArray(value) ? "array" : typeof value];
}

function ofKind(expected: string, input: unknown): string {
  const given = kindOf(input);
  const wanted = KINDS[expected] ?? expected;
  const isNear = given === undefined || given === wanted || wanted === KINDS.int && given === KINDS.number;
  return `expected ${wanted}${isNear ? "" : `, not ${given}`}`;
}

/** What one of several possible shapes wants at the place itself: that is what to say where none of them fits. */
function ofAny(branches: readonly (readonly z.core.$ZodIssue[])[]): string {
  const wanted = branches.map(([first]) => first?.path.length === 0 ? first.message : "");
  const kinds = new Set(wanted.map((message) => /^expected (.*?)(?:, not .*)?$/.exec(message)?.[1]));
  return kinds.size === 0 || kinds.has(undefined) ? "does not fit" : `expected ${[...kinds].join(" or ")}`;
}

/** What is wrong with a value where its schema does not say it, to go on after the value's name. Quotes no value. */
function inOurWords(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined && issue.code !== "custom") return "is required";
  switch (issue.code) {
    case "invalid_type":
      return ofKind(issue.expected, issue.input);
    case "invalid_value":
      return `expected ${issue.values.length > 1 ? "one of " : ""}${either(issue.values)}`;
    case "too_small":
      return `expected ${issue.exact ? "exactly" : issue.inclusive === false ? "more than" : "at least"} ${
        amount(issue.minimum, issue.origin)
      }`;
    case "too_big":
      return `expected ${issue.exact ? "exactly" : issue.inclusive === false ? "less than" : "at most"} ${
        amount(issue.maximum, issue.origin)
      }`;
    case "not_multiple_of":
      return `expected a multiple of ${issue.divisor}`;
    case "invalid_format":
      if (issue.format === "regex") return `expected a text that matches ${issue.pattern}`;
      return `expected ${FORMATS[issue.format] ?? `a text in the format ${issue.format}`}`;
    case "unrecognized_keys":
      return `has what is not known here: ${either(issue.keys)}`;
    case "invalid_union":
      return ofAny(issue.errors);
    case "invalid_key":
    case "invalid_element":
    case "custom":
      return "does not fit";
  }
}

// The validator of the API takes no words for a single call: they are for all that is parsed in this process.
z.config({ customError: inOurWords });
