import { wordsOf } from "./finding.ts";

/** What a failed `fetch()` means for whoever gave the URL: Deno tells in its words how far it came. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/dns error|failed to lookup/, "its host name is unknown"],
  [/Connection refused/, "nobody listens there"],
  [/timed out|due to timeout/, "no answer in time"],
  [/unreachable/, "no way leads to its address"],
  [/corrupt message|packet length/, "no TLS is spoken there, try http:// in place of https://"],
  [/certificate|UnknownIssuer/i, "its certificate is not trusted"],
  [/SendRequest/, "no HTTP is spoken there"],
  [/are blocked/, "that port is kept for another protocol, and nothing that fetches calls it"],
];

/** Whether nobody listens at the address of a `fetch()` that failed. */
export function isRefusal(error: unknown): boolean {
  return /Connection refused/.test(wordsOf(error));
}

/** Puts a `fetch()` that failed into words; Deno's own where there are no better. */
export function explainFetchFailure(error: unknown): string {
  const said = wordsOf(error);
  return MEANINGS.find(([pattern]) => pattern.test(said))?.[1] ?? said;
}
