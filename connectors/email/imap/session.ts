import { ImapConnection, type ServerAddress } from "./connection.ts";
import { ImapConnectionError } from "./response.ts";
import { type ImapValue, listOf, readValues, textOf } from "./tokens.ts";

/** The server answered a command with NO or BAD. */
export class ImapRefusal extends Error {
  override readonly name = "ImapRefusal";

  /** @param said The server's own words, shortened. */
  constructor(readonly command: string, readonly said: string) {
    super(`the server refuses ${command}: ${said}`);
  }
}

/** What a mailbox says of itself when it is opened. */
export interface Mailbox {
  /** UIDs mean something only together with it (RFC 3501, section 2.3.1.1). */
  readonly uidValidity: number;
  /** The next mail's UID; every mail that is there has a lower one. */
  readonly uidNext: number;
}

/** What a server said of one mail: item name, in upper case, to value. A part's name is without the `<0>` behind it. */
export type FetchedItems = ReadonlyMap<string, ImapValue>;

/** No command that is sent gives more than that; a server that sends on and on is not listened to. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_SAID = 200;

const utf8 = new TextDecoder();

/** A conversation with an IMAP4rev1 server (RFC 3501), reading only: it changes nothing in a mailbox, no flag either. */
export class ImapSession implements AsyncDisposable {
  #commands = 0;
  readonly #connection: ImapConnection;

  private constructor(connection: ImapConnection) {
    this.#connection = connection;
  }

  /**
   * Connects and logs in.
   *
   * @throws {ImapRefusal} if the server refuses
   * @throws {ImapConnectionError} if the conversation ends
   * @throws what connecting and the TLS handshake throw
   */
  static async open(
    address: ServerAddress,
    login: { readonly username: string; readonly password: string },
    signal: AbortSignal,
  ): Promise<ImapSession> {
    const connection = await ImapConnection.open(address, signal);
    const session = new ImapSession(connection);
    try {
      await session.#greeted();
      if (address.tls === "starttls") {
        await session.#command("STARTTLS");
        await connection.startTls();
      }
      await session.#logIn(login.username, login.password);
      return session;
    } catch (error) {
      connection[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * Opens a mailbox for reading.
   *
   * @throws {ImapRefusal} if there is none of that name
   */
  async examine(name: string): Promise<Mailbox> {
    const lines = (await this.#command(`EXAMINE ${quoted(modifiedUtf7(name))}`)).map(lineOf);
    const numberOf = (code: string) => {
      const found = lines.map((line) => new RegExp(`^\\* OK \\[${code} (\\d+)\\]`, "i").exec(line)).find(Boolean);
      if (!found) throw new ImapConnectionError(`the server does not tell the mailbox's ${code}`);
      return Number(found[1]);
    };
    return { uidValidity: numberOf("UIDVALIDITY"), uidNext: numberOf("UIDNEXT") };
  }

  /** The UIDs of the mails from `first` to `last` that are there, ascending; only those of `since`'s day or later. */
  async search(first: number, last: number, since?: Date): Promise<number[]> {
    if (last < first) return [];
    const criteria = since === undefined ? "" : ` SINCE ${imapDate(since)}`;
    const lines = (await this.#command(`UID SEARCH UID ${first}:${last}${criteria}`)).map(lineOf);
    const found = lines.flatMap((line) => /^\* SEARCH\b(.*)$/i.exec(line)?.[1]?.match(/\d+/g) ?? []).map(Number);
    // "n:*" and careless servers give what was not asked for.
    const wanted = found.filter((uid) => uid >= first && uid <= last);
    return [...new Set(wanted)].sort((a, b) => a - b);
  }

  /**
   * Fetches items of mails. Mails that are gone meanwhile are left out, and those of which too much is told.
   *
   * @param items As the command names them; only items that set no flag, so `BODY.PEEK[…]`.
   */
  async fetch(uids: readonly number[], items: string): Promise<Map<number, FetchedItems>> {
    const mails = new Map<number, Map<string, ImapValue>>();
    if (uids.length === 0) return mails;
    for (const response of await this.#command(`UID FETCH ${uidSet(uids)} (UID ${items})`)) {
      const [, , kind, list] = valuesOf(response);
      if (textOf(kind)?.toUpperCase() !== "FETCH") continue;
      const fetched = itemsOf(listOf(list));
      const uid = Number(textOf(fetched.get("UID")));
      if (uids.includes(uid)) mails.set(uid, new Map([...mails.get(uid) ?? [], ...fetched]));
    }
    return mails;
  }

  /** Says good-bye and closes the connection, without waiting for an answer: all that was asked has been answered. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.send("Z LOGOUT").catch(() => {});
    this.#connection[Symbol.dispose]();
  }

  async #greeted(): Promise<void> {
    const line = lineOf(await this.#connection.receive());
    // PREAUTH would be a session without TLS and of whoever stands in between.
    if (!/^\* OK\b/i.test(line)) throw new ImapConnectionError(`the server greets with "${said(line)}"`);
  }

  async #logIn(username: string, password: string): Promise<void> {
    const capabilities = (await this.#command("CAPABILITY")).map(lineOf).join(" ").toUpperCase().split(/\s+/);
    if (capabilities.includes("AUTH=PLAIN")) {
      const credentials = new TextEncoder().encode(`\0${username}\0${password}`).toBase64();
      await this.#command("AUTHENTICATE PLAIN", credentials);
    } else {
      const announced = (text: string) => `{${new TextEncoder().encode(text).length}}`;
      await this.#command(`LOGIN ${announced(username)}`, `${username} ${announced(password)}`, password);
    }
  }

  /** Sends a command, and gives its untagged responses once the server says OK. */
  async #command(command: string, ...answers: readonly string[]): Promise<Uint8Array<ArrayBuffer>[]> {
    const tag = `A${++this.#commands}`;
    const [verb = ""] = command.split(/ (?=[\d"{])/);
    const untagged: Uint8Array<ArrayBuffer>[] = [];
    const left = [...answers];
    await this.#connection.send(`${tag} ${command}`);
    for (let bytes = 0; bytes <= MAX_ANSWER_BYTES;) {
      const response = await this.#connection.receive();
      bytes += response.length;
      const line = lineOf(response);
      if (line.startsWith("+")) {
        // "*" gives up a login that the server asks more of than there is to say (RFC 3501, section 6.2.2).
        await this.#connection.send(left.shift() ?? "*");
      } else if (line.startsWith(`${tag} `)) {
        // Mails that another client removes meanwhile (RFC 5530).
        if (!/^\S+ (?:OK|NO \[EXPUNGEISSUED\])/i.test(line)) throw new ImapRefusal(verb, said(line));
        return untagged;
      } else if (/^\* BYE\b/i.test(line)) {
        throw new ImapConnectionError(`the server says good-bye: ${said(line)}`);
      } else {
        untagged.push(response);
      }
    }
    throw new ImapConnectionError(`the server's answer to ${verb} does not end`);
  }
}

/** The text of a response without literals; the beginning of a longer one. */
function lineOf(response: Uint8Array<ArrayBuffer>): string {
  return utf8.decode(response.subarray(0, MAX_ANSWER_BYTES / 4));
}

/** The words behind a line's tag and status. */
function said(line: string): string {
  return line.replace(/^\S+ (?:OK|NO|BAD|BYE)\b\s*/i, "").slice(0, MAX_SAID);
}

/** The values of a response; none if lists are nested so deeply in it that nobody could read them. */
function valuesOf(response: Uint8Array<ArrayBuffer>): readonly ImapValue[] {
  try {
    return readValues(response);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function itemsOf(values: readonly ImapValue[]): Map<string, ImapValue> {
  const items = new Map<string, ImapValue>();
  for (let at = 0; at + 1 < values.length; at += 2) {
    const name = textOf(values[at])?.toUpperCase().replace(/<\d+>$/, "");
    if (name !== undefined) items.set(name, values[at + 1] ?? null);
  }
  return items;
}

/** Writes ascending UIDs as a set, runs of them as ranges. */
function uidSet(uids: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const uid of uids) {
    const range = ranges.at(-1);
    if (range?.last === uid - 1) range.last = uid;
    else ranges.push({ first: uid, last: uid });
  }
  return ranges.map(({ first, last }) => first === last ? `${first}` : `${first}:${last}`).join(",");
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, "\\$&")}"`;
}

/** Writes a mailbox's name as RFC 3501, section 5.1.3, says. */
function modifiedUtf7(name: string): string {
  return name.replaceAll("&", "&-").replaceAll(/[^\x20-\x7e]+/g, (run) => {
    const units = Uint8Array.from(run.split("").flatMap((unit) => [unit.charCodeAt(0) >> 8, unit.charCodeAt(0) & 255]));
    return `&${units.toBase64({ omitPadding: true }).replaceAll("/", ",")}-`;
  });
}

/** A day as SEARCH wants it, such as 2-Mar-2026; in UTC. */
function imapDate(date: Date): string {
  const month = date.toLocaleString("en", { month: "short", timeZone: "UTC" });
  return `${date.getUTCDate()}-${month}-${date.getUTCFullYear()}`;
}
