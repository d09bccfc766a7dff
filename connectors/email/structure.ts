import { type ImapValue, listOf, textOf } from "./imap/tokens.ts";

/** A part of a mail that holds something itself: no multipart. */
export interface Part {
  /** Its number, as `BODY[…]` names it: `1`, `2.1`. */
  readonly section: string;
  /** Media type in lower case. */
  readonly contentType: string;
  readonly contentTypeParameters: Readonly<Record<string, string>>;
  /** `attachment`, `inline` or what else the sender says, in lower case; `null` if it says nothing. */
  readonly disposition: string | null;
  readonly dispositionParameters: Readonly<Record<string, string>>;
  /** The transfer encoding, such as `base64`. */
  readonly encoding: string;
  /** Bytes as transferred. */
  readonly size: number;
}

/** No mail that people write has more; one that a prankster writes shall not fill the memory. */
const MOST_PARTS = 1_000;

/** Where the disposition stands in a part's list, by what its type adds before (RFC 3501, BODYSTRUCTURE). */
const dispositionIndex = (contentType: string) =>
  contentType.startsWith("text/") ? 9 : contentType === "message/rfc822" ? 11 : 8;

/**
 * Lists the parts of a mail, as a BODYSTRUCTURE response gives them, in the mail's order. A mail within the mail is one
 * part. Lenient: what is not as documented has the type that a mail without any has, text/plain.
 */
export function partsOf(bodyStructure: ImapValue | undefined): Part[] {
  const parts: Part[] = [];
  collect(listOf(bodyStructure), "", parts);
  return parts;
}

function collect(body: readonly ImapValue[], section: string, parts: Part[]): void {
  const children = body.slice(0, body.findIndex((value) => listOf(value).length === 0)).map(listOf);
  if (children.length === 0) {
    if (parts.length < MOST_PARTS) parts.push(partOf(body, section || "1"));
    return;
  }
  for (const [index, child] of children.entries()) collect(child, `${section && `${section}.`}${index + 1}`, parts);
}

function partOf(body: readonly ImapValue[], section: string): Part {
  const [type, subtype, parameters, , , encoding, size] = body;
  const contentType = `${textOf(type) ?? "text"}/${textOf(subtype) ?? "plain"}`.toLowerCase();
  const [disposition, dispositionParameters] = listOf(body[dispositionIndex(contentType)]);
  return {
    section,
    contentType,
    contentTypeParameters: parametersOf(parameters),
    disposition: textOf(disposition)?.toLowerCase() ?? null,
    dispositionParameters: parametersOf(dispositionParameters),
    encoding: (textOf(encoding) ?? "7bit").toLowerCase(),
    size: Number(textOf(size)) || 0,
  };
}

function parametersOf(value: ImapValue | undefined): Record<string, string> {
  const values = listOf(value).map((each) => textOf(each) ?? "");
  const names = values.filter((_, index) => index % 2 === 0);
  return Object.fromEntries(names.map((name, index) => [name.toLowerCase(), values[index * 2 + 1] ?? ""]));
}

const isText = ({ contentType }: Part) => contentType === "text/plain" || contentType === "text/html";
const isFile = ({ disposition, dispositionParameters, contentTypeParameters }: Part) =>
  disposition === "attachment" ||
  [...Object.keys(dispositionParameters), ...Object.keys(contentTypeParameters)].some((name) =>
    /^(?:file)?name\b/.test(name)
  );

/** The part to take a preview from: the first plain text, else the first HTML. */
export function textPartOf(parts: readonly Part[]): Part | null {
  const texts = parts.filter((part) => isText(part) && !isFile(part));
  return texts.find(({ contentType }) => contentType === "text/plain") ?? texts[0] ?? null;
}

/** The parts that are files: all but the texts. */
export function filesOf(parts: readonly Part[]): Part[] {
  return parts.filter((part) => !isText(part) || isFile(part));
}
