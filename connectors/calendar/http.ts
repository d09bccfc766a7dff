import { Buffer } from "node:buffer";
import { PollError } from "../kit/mod.ts";

/** A request to the calendar's server. */
export interface CalendarRequest {
  readonly method: "GET" | "PROPFIND" | "REPORT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What the server answered, read to its end. */
export interface CalendarAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Bytes that are not of its encoding have become U+FFFD. */
  readonly text: string;
  /** Where it came from, after redirects. */
  readonly url: URL;
}

/** Sends requests to one calendar's server. */
export type Ask = (url: URL, request: CalendarRequest) => Promise<CalendarAnswer>;

/** The longest answer that is read, in bytes. */
export const MOST_BYTES = 10 * 1024 * 1024;

const MOST_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/**
 * Makes requests with a user's name and password, which only the origin of `home` gets to see. Follows redirects with
 * the same method and body: a PROPFIND must not become a GET.
 *
 * Its promises reject with a {@link PollError} if the server does not answer, sends more than {@link MOST_BYTES}, or
 * leads elsewhere than to HTTP. What a status means, the caller knows.
 */
export function askerOf({ home, username, password, signal }: {
  readonly home: URL;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly signal: AbortSignal;
}): Ask {
  const credentials = `Basic ${Buffer.from(`${username}:${password ?? ""}`).toString("base64")}`;

  return async (url, { method, headers = {}, body }) => {
    let at = url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const sent = new Headers({ ...headers, "user-agent": "Inlet" });
      if (username !== undefined && at.origin === home.origin) sent.set("authorization", credentials);
      const init = {
        method,
        headers: sent,
        signal,
        redirect: "manual",
        ...body === undefined ? {} : { body },
      } as const;
      const response = await fetch(at, init).catch(() => {
        // The reason would hold the address, which can be a secret.
        throw new PollError(`Cannot read the calendar: ${at.host} does not answer. Check the address and the network`);
      });
      if (!REDIRECTS.has(response.status)) {
        return { status: response.status, headers: response.headers, text: await textOf(response), url: at };
      }
      await response.body?.cancel();
      at = redirected(at, response.headers.get("location"));
    }
    throw new PollError(`Cannot read the calendar: ${at.host} redirects more than ${MOST_REDIRECTS} times`);
  };
}

function redirected(from: URL, location: string | null): URL {
  const to = location !== null && URL.canParse(location, from) ? new URL(location, from) : null;
  if (to === null || to.protocol !== "https:" && to.protocol !== "http:") {
    throw new PollError(`Cannot read the calendar: ${from.host} redirects to what is not an HTTP address`);
  }
  return to;
}

/**
 * Fails unless the answer has a status of success.
 *
 * @throws {PollError} that says what an operator can do
 */
export function expectSuccess({ status, url }: CalendarAnswer): void {
  if (status >= 200 && status < 300) return;
  throw new PollError(
    `Cannot read the calendar: ${url.host} ${REASONS.get(status) ?? `answers with status ${status}`}`,
  );
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [401, "wants another user name or password (401). Some want an app password"],
  [403, "forbids it (403). Check the user's rights, and the address"],
  [404, "has nothing at this address (404). A secret address may have been renewed"],
  [405, "takes no such request at this address (405). The address of an ICS feed goes with kind ics, not caldav"],
  [410, "has nothing at this address any more (410)"],
  [429, "asks for fewer requests (429). Poll less often"],
]);

async function textOf(response: Response): Promise<string> {
  if (Number(response.headers.get("content-length") ?? 0) > MOST_BYTES) {
    await response.body?.cancel();
    throw tooLong();
  }
  const decoder = decoderOf(response.headers.get("content-type") ?? "");
  let bytes = 0;
  let text = "";
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > MOST_BYTES) throw tooLong();
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    if (error instanceof PollError) throw error;
    throw new PollError("Cannot read the calendar: the answer broke off");
  }
  return text + decoder.decode();
}

function tooLong(): PollError {
  return new PollError(
    `Cannot read the calendar: the answer is longer than ${MOST_BYTES / 1024 / 1024} MiB. Share fewer entries`,
  );
}

function decoderOf(contentType: string): TextDecoder {
  try {
    return new TextDecoder(/charset="?([\w.:-]+)/i.exec(contentType)?.[1] ?? "utf-8");
  } catch {
    return new TextDecoder();
  }
}
