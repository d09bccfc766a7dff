/** Finding, starting and ending a Dovecot. */

import { installPackage } from "../apt.ts";
import { type RunningProcess, runRecorded } from "../rabbitmq/process.ts";
import type { Account } from "./config.ts";

const SERVER = "/usr/sbin/dovecot";

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/**
 * Gives the path of an installed Dovecot, after installing one with apt-get where we are root and there is none.
 *
 * @throws {Error} If there is none and no way to get one; the message says what to install.
 */
export async function installedDovecot(): Promise<string> {
  if (await isThere(SERVER)) return SERVER;
  if (Deno.uid() !== 0 || !await isThere("/usr/bin/apt-get")) {
    throw new Error(
      "Cannot run tests that need a mail server: there is no Dovecot. Install the package dovecot-imapd " +
        "(Debian and Ubuntu: apt-get install dovecot-imapd, or run the tests as root and they do it)",
    );
  }
  await installPackage("dovecot-imapd");
  return SERVER;
}

async function idOf(...args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command("id", { args }).output();
  return new TextDecoder().decode(stdout).trim();
}

/** Who owns the mails: `nobody` where root runs the tests, since Dovecot opens no mails of root's; else whoever does. */
export async function mailOwner(): Promise<Account> {
  const who = Deno.uid() === 0 ? ["nobody"] : [];
  const [uid, gid, user, group] = await Promise.all(["-u", "-g", "-un", "-gn"].map((flag) => idOf(flag, ...who)));
  return { uid: Number(uid), gid: Number(gid), user: user ?? "", group: group ?? "" };
}

async function greets(port: number): Promise<boolean> {
  try {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const answer = new Uint8Array(4);
    await connection.read(answer);
    return new TextDecoder().decode(answer) === "* OK";
  } catch {
    return false;
  }
}

/**
 * Starts Dovecot on `<folder>/conf`, and waits until it greets on `port`.
 *
 * @throws {Error} If it ends, or does not greet within five minutes; the message holds what it said.
 */
export async function startServer(server: string, folder: string, port: number): Promise<RunningProcess> {
  const running = runRecorded(folder, "dovecot", [server, "-F", "-c", `${folder}/conf`], {});
  const deadline = performance.now() + 300_000;
  while (!await greets(port)) {
    if (running.ended || performance.now() > deadline) {
      await killAll(folder, running);
      const said = await Promise.all(
        ["output.log", "log"].map((name) => Deno.readTextFile(`${folder}/${name}`).catch(() => "")),
      );
      throw new Error(`Cannot start ${server}: it said\n${said.join("\n").trim()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return running;
}

/** Ends a Dovecot and all its processes at once, which are one group, as a power cut does. */
export async function killAll(folder: string, running: RunningProcess): Promise<void> {
  const pid = await Deno.readTextFile(`${folder}/dovecot.pid`).catch(() => "");
  if (pid !== "") await new Deno.Command("sh", { args: ["-c", KILL_GROUP, "kill-group", pid.trim()] }).output();
  await running.kill();
}

/** Ends the process group `$1`, and waits until nobody (but zombies) is left of it. */
export const KILL_GROUP = `
kill -9 "-$1"
tries=0
while [ "$tries" -lt 100 ] && ps -o stat= -g "$1" | grep -qv '^Z'; do
  sleep 0.05
  tries=$((tries + 1))
done`;
