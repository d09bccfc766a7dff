/**
 * A Radicale of one's own, a real CalDAV server: its own port and folder, one user with a password. Installed with
 * apt-get where it is not there and we are root.
 *
 * @module
 */

import { installPackage } from "./apt.ts";
import { guardCleanup } from "./cleanup_guard.ts";
import { freePorts } from "./ports.ts";
import { type RunningProcess, runRecorded } from "./rabbitmq/process.ts";

const CLEAN_UP = `kill -9 $(cat "$1"/*.pid); rm -rf "$1"`;

/** A running Radicale. */
export interface Radicale {
  /** Its root, with a slash at the end. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Where it keeps what it knows; for tests that do it harm. */
  readonly folder: string;
  /** Sends a request as the user. The body of the answer is read. */
  ask(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<number>;
  /** Makes a calendar `/<username>/<name>/` and gives its address. */
  makeCalendar(name: string): Promise<string>;
  /** Puts an entry into a calendar: the lines of a VEVENT between its UID and its end. */
  put(calendar: string, uid: string, lines: readonly string[]): Promise<void>;
  /** Removes an entry. */
  remove(calendar: string, uid: string): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

async function isInstalled(): Promise<boolean> {
  const { success } = await new Deno.Command("sh", { args: ["-c", "command -v radicale"], stdout: "null" }).output();
  return success;
}

async function prepare(folder: string, port: number, user: { username: string; password: string }): Promise<string> {
  const config = [
    ["server", `hosts = 127.0.0.1:${port}`],
    ["auth", "type = htpasswd", `htpasswd_filename = ${folder}/users`, "htpasswd_encryption = plain", "delay = 0"],
    ["storage", `filesystem_folder = ${folder}/collections`],
    ["rights", "type = owner_only"],
    ["logging", "level = warning"],
  ].map(([section, ...lines]) => `[${section}]\n${lines.join("\n")}\n`).join("\n");
  await Deno.writeTextFile(`${folder}/users`, `${user.username}:${user.password}\n`);
  await Deno.writeTextFile(`${folder}/config`, config);
  return `${folder}/config`;
}

async function untilItAnswers(url: string, folder: string, process: RunningProcess): Promise<void> {
  while (process.ended === undefined) {
    const status = await fetch(url, { redirect: "manual" }).then(async (answer) => {
      await answer.body?.cancel();
      return answer.status;
    }, () => 0);
    if (status > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const output = await Deno.readTextFile(`${folder}/output.log`).catch(() => "(nothing)");
  throw new Error(`Cannot start Radicale: it has ended, and said\n${output}`);
}

/** An entry as a calendar file. */
export function icsOf(uid: string, lines: readonly string[]): string {
  const event = ["BEGIN:VEVENT", `UID:${uid}`, "DTSTAMP:20260101T000000Z", ...lines, "END:VEVENT"];
  return ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Inlet//Tests//EN", ...event, "END:VCALENDAR", ""].join("\r\n");
}

/**
 * Starts a Radicale and waits until it answers. It ends with `stop`, or when this process ends, whatever ends it.
 *
 * @throws {Error} if there is none and it cannot be installed, or it does not start
 */
export async function startRadicale(): Promise<Radicale> {
  if (!await isInstalled()) await installPackage("radicale");
  const folder = await Deno.makeTempDir({ prefix: "inlet-radicale-" });
  const guard = guardCleanup(CLEAN_UP, [folder]);
  const user = { username: "ada", password: crypto.randomUUID() };
  const [port = 0] = freePorts(1);
  const config = await prepare(folder, port, user);
  const process = runRecorded(folder, "radicale", ["radicale", "--config", config], {});
  const stop = async () => {
    await process.kill();
    await guard.release();
  };
  const url = `http://127.0.0.1:${port}/`;
  try {
    await untilItAnswers(url, folder, process);
  } catch (error) {
    await stop();
    throw error;
  }
  const authorization = `Basic ${btoa(`${user.username}:${user.password}`)}`;
  const ask: Radicale["ask"] = async (method, path, body, headers = {}) => {
    const init = { method, headers: { authorization, ...headers }, ...body === undefined ? {} : { body } };
    const answer = await fetch(new URL(path, url), init);
    await answer.body?.cancel();
    return answer.status;
  };
  const succeed = async (...request: Parameters<Radicale["ask"]>) => {
    const status = await ask(...request);
    if (status >= 300) throw new Error(`Cannot ${request[0]} ${request[1]}: Radicale answers ${status}`);
  };
  return {
    url,
    ...user,
    folder,
    ask,
    async makeCalendar(name) {
      const path = `/${user.username}/${name}/`;
      const body = '<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>' +
        `<D:displayname>Calendar ${name}</D:displayname></D:prop></D:set></C:mkcalendar>`;
      await succeed("MKCALENDAR", path, body, { "content-type": "application/xml" });
      return new URL(path, url).href;
    },
    put: (calendar, uid, lines) =>
      succeed("PUT", `${calendar}${uid}.ics`, icsOf(uid, lines), { "content-type": "text/calendar" }),
    remove: (calendar, uid) => succeed("DELETE", `${calendar}${uid}.ics`),
    stop,
  };
}
