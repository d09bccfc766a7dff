import { z } from "zod";
import { PollError } from "../kit/mod.ts";
import { ImapConnectionError } from "./imap/response.ts";
import { ImapRefusal } from "./imap/session.ts";

/** What an operator has set, and may have to mend. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly mailbox: string;
}

/** How Node's network modules, and OpenSSL below them, name what went wrong. */
const codedSchema = z.object({ code: z.string() });

/** Says in words what went wrong with a mail server, and what to do about it. */
export function explained(error: unknown, settings: MailSettings): PollError {
  return error instanceof PollError ? error : new PollError(sentence(error, settings));
}

function sentence(error: unknown, { host, port, username, mailbox }: MailSettings): string {
  const server = `${host}:${port}`;
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof ImapRefusal) {
    if (/^(?:AUTHENTICATE|LOGIN)/.test(error.command)) {
      return `Cannot log in to ${server} as "${username}": the server says "${error.said}"; check user name and password`;
    }
    if (error.command === "EXAMINE") {
      return `Cannot open the mailbox "${mailbox}" on ${server}: the server says "${error.said}"`;
    }
    if (error.command === "STARTTLS") {
      return `Cannot secure the connection to ${server}: the server refuses STARTTLS with "${error.said}"`;
    }
  }
  if (error instanceof ImapRefusal || error instanceof ImapConnectionError) {
    return `Cannot read the mailbox on ${server}: ${detail}`;
  }
  const { code } = codedSchema.safeParse(error).data ?? { code: "" };
  if (code === "ECONNREFUSED") {
    return `Cannot reach the mail server: ${server} refuses connections; check host and port, and whether it runs`;
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `Cannot reach the mail server: no address is known for "${host}"; check the host`;
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `Cannot trust ${server}: its certificate is for other names than that (${detail}); check the host`;
  }
  if (/ISSUER|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return `Cannot trust ${server}: nobody who is known here vouches for its certificate (${detail}); ` +
      "if it is the right server, set certificateAuthority to the certificate of who issued it";
  }
  if (/CERT/.test(code)) return `Cannot trust ${server}: its certificate is not valid (${detail}); renew it there`;
  if (/SSL|TLS/.test(code)) {
    return `Cannot speak TLS with ${server}: it answers something else (${detail}); ` +
      'check the port, and whether tls should be "starttls"';
  }
  return `Cannot reach the mail server: the connection to ${server} ends with "${detail}"`;
}
