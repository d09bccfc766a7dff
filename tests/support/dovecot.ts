/**
 * A Dovecot of one's own for tests, to send mails to, to kill and to restart: an installed one, or one installed with
 * apt-get, in a folder and on ports of its own. There is always one or an error, never a skip.
 *
 * @module
 */

import { guardCleanup } from "./cleanup_guard.ts";
import { type CertificateKind, makeCertificates } from "./dovecot/certificates.ts";
import { type Account, dovecotConfig } from "./dovecot/config.ts";
import { installedDovecot, KILL_GROUP, killAll, mailOwner, startServer } from "./dovecot/server.ts";
import { freePorts } from "./ports.ts";
import type { RunningProcess } from "./rabbitmq/process.ts";

const CLEAN_UP = `set -- "$(cat "$1/dovecot.pid")" "$1"\n${KILL_GROUP}\nrm -rf "$2"`;

/** How a mail comes into a mailbox. */
export interface DeliveryOptions {
  /** What the server says of when it was received; default: now. In whole seconds. */
  readonly receivedAt?: Date;
  /** Default: INBOX. */
  readonly mailbox?: string;
}

/** How the mails of a mailbox are numbered. */
export interface Numbers {
  readonly uidValidity: number;
  /** The UID of the first mail that comes, or that is there already. */
  readonly uidNext: number;
}

const FIRST_NUMBERS: Numbers = { uidValidity: 1_700_000_001, uidNext: 1 };

/** A private Dovecot with one user. */
export class Dovecot implements AsyncDisposable {
  /** The user's name and password. */
  readonly username = "ann";
  readonly password = 'correct "horse" \\ battery ström';
  #delivered = 0;
  #running: RunningProcess | undefined;

  private constructor(
    /** Holds all that it reads and writes. */
    readonly folder: string,
    /** Port of IMAP, with STARTTLS. */
    readonly imapPort: number,
    /** Port of IMAP over TLS. */
    readonly imapsPort: number,
    /** PEM of the authority that signed its certificate, which is for `localhost`. */
    readonly certificateAuthority: string,
    readonly owner: Account,
    readonly server: string,
    readonly guard: { release(): Promise<void> },
  ) {}

  /** Starts one, and waits until it greets. Dispose of it, or it ends with this process, whatever ends that. */
  static async start(certificate: CertificateKind = "proper"): Promise<Dovecot> {
    const server = await installedDovecot();
    const folder = await Deno.makeTempDir({ prefix: "inlet-dovecot-" });
    // Its processes run as other users, who have to get to their sockets.
    await Deno.chmod(folder, 0o755);
    const guard = guardCleanup(CLEAN_UP, [folder]);
    const [imap = 0, imaps = 0] = freePorts(2);
    const certificates = await makeCertificates(folder, certificate);
    const owner = await mailOwner();
    const asRoot = Deno.uid() === 0;
    const authority = await Deno.readTextFile(certificates.authority);
    const dovecot = new Dovecot(folder, imap, imaps, authority, owner, server, guard);
    await Deno.writeTextFile(`${folder}/conf`, dovecotConfig({ folder, certificates, imap, imaps, owner, asRoot }));
    await Deno.writeTextFile(`${folder}/users`, `${dovecot.username}:{plain}${dovecot.password}\n`, { mode: 0o644 });
    await dovecot.makeMailbox("INBOX");
    try {
      await dovecot.restart();
      return dovecot;
    } catch (error) {
      await guard.release();
      throw error;
    }
  }

  /**
   * Makes a mailbox.
   *
   * @param name As it lies on the disk: in modified UTF-7.
   */
  async makeMailbox(name: string, numbers: Numbers = FIRST_NUMBERS): Promise<void> {
    for (const folder of ["cur", "new", "tmp"]) {
      await Deno.mkdir(`${this.#maildir(name)}/${folder}`, { recursive: true });
    }
    await this.#number(name, numbers);
  }

  /** Numbers the mails of INBOX anew, as a migration or a restored backup does, and restarts. */
  async renumber(numbers: Numbers): Promise<void> {
    await this.kill();
    await this.#number("INBOX", numbers);
    await this.restart();
  }

  /** Puts mails into a mailbox, each complete with its header; they get UIDs in this order. */
  async deliver(mails: readonly (string | Uint8Array)[], options: DeliveryOptions = {}): Promise<void> {
    const folder = `${this.#maildir(options.mailbox)}`;
    const receivedAt = options.receivedAt ?? new Date();
    for (const mail of mails) {
      const name = `${1_000_000_000 + ++this.#delivered}.M${this.#delivered}.test`;
      const bytes = typeof mail === "string" ? new TextEncoder().encode(mail) : mail;
      await Deno.writeFile(`${folder}/tmp/${name}`, bytes);
      await Deno.utime(`${folder}/tmp/${name}`, receivedAt, receivedAt);
      await Deno.chown(`${folder}/tmp/${name}`, this.owner.uid, this.owner.gid);
      await Deno.rename(`${folder}/tmp/${name}`, `${folder}/new/${name}`);
    }
  }

  /** Names of the files of a mailbox's mails; what stands behind `:2,` are flags, and those in `new/` are unseen. */
  async files(mailbox?: string): Promise<string[]> {
    const listed = ["cur", "new"].map((folder) =>
      Array.fromAsync(Deno.readDir(`${this.#maildir(mailbox)}/${folder}`), ({ name }) => `${folder}/${name}`)
    );
    return (await Promise.all(listed)).flat().sort();
  }

  /** What it has logged. */
  async log(): Promise<string> {
    return await Deno.readTextFile(`${this.folder}/log`);
  }

  /** Ends it at once with all its processes; does nothing if it does not run. */
  async kill(): Promise<void> {
    if (this.#running) await killAll(this.folder, this.#running);
    this.#running = undefined;
  }

  /** Starts it, after a kill if it runs, on the same ports with the same mails. */
  async restart(): Promise<void> {
    await this.kill();
    this.#running = await startServer(this.server, this.folder, this.imapPort);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.guard.release();
  }

  #maildir(mailbox = "INBOX"): string {
    return `${this.folder}/mail/${this.username}${mailbox === "INBOX" ? "" : `/.${mailbox}`}`;
  }

  async #number(mailbox: string, { uidValidity, uidNext }: Numbers): Promise<void> {
    const maildir = this.#maildir(mailbox);
    for await (const { name, isFile } of Deno.readDir(maildir)) {
      if (isFile && name.startsWith("dovecot")) await Deno.remove(`${maildir}/${name}`);
    }
    await Deno.writeTextFile(`${maildir}/dovecot-uidlist`, `3 V${uidValidity} N${uidNext}\n`);
    const { uid, gid } = this.owner;
    await new Deno.Command("chown", { args: ["-R", `${uid}:${gid}`, `${this.folder}/mail`] }).output();
  }
}
