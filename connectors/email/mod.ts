import { emailEventDescriptions, emailPayloadSchemas } from "@inlet/email-events";
import { X509Certificate } from "node:crypto";
import { z } from "zod";
import { definePoller, type Fault, type PollerConnector } from "../kit/mod.ts";
import { cursorSchema } from "./cursor.ts";
import { explained } from "./explain.ts";
import { ImapSession } from "./imap/session.ts";
import { readPage } from "./poll.ts";

/** Names of this machine: only there is a password in clear text seen by nobody else. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

const oneLine = z.string().trim().min(1).regex(/^\P{Cc}*$/u, "must be one line");

/** A mailbox that is read by IMAP (RFC 3501), over TLS. Reads only: no flag and no mail is changed. */
export const email: PollerConnector = definePoller({
  id: "email",
  name: "E-mail",
  description: "New mails of a mailbox, read by IMAP: who, to whom, what about, the beginning of the text, the files.",
  documentationUrl: "https://www.rfc-editor.org/rfc/rfc3501",
  payloads: emailPayloadSchemas,
  descriptions: emailEventDescriptions,
  config: {
    host: oneLine.regex(/^[^\s/@]+$/, "expected the name or address of a server alone, such as imap.example.com")
      .describe("Name of the IMAP server, such as imap.example.com"),
    port: z.int().min(1).max(65_535).default(993).describe("Port of the IMAP server: 993, or 143 with STARTTLS"),
    username: oneLine.describe("User name of the account; often the e-mail address"),
    mailbox: oneLine.default("INBOX").describe("The mailbox to read, such as INBOX or Archive/2026"),
    tls: z.enum(["implicit", "starttls", "none"]).default("implicit")
      .describe("TLS from the first byte, after STARTTLS, or none: that only for a server on this machine"),
    certificateAuthority: z.string().optional()
      .describe("PEM of the authority that issued the server's certificate, if it is not a well-known one"),
    previewLength: z.int().min(0).max(10_000).default(500).describe("Characters of the text to put in an event"),
  },
  secrets: {
    password: z.string().min(1).regex(/^[^\0\r\n]*$/, "must be one line")
      .describe("Password of the account; where the provider has them, one for this application only"),
  },
  secretsGoTo: ["host", "port", "tls", "certificateAuthority"],
  check: ({ config: { host, tls, certificateAuthority } }) => [
    ...tls === "none" && !LOOPBACK.test(host)
      ? [{
        pointer: "/config/tls",
        detail: `must not be "none": ${host} is not this machine, and all could read along`,
      }]
      : [],
    ...certificateFaults(certificateAuthority),
  ],
  cursor: cursorSchema,
  async poll({ config, secrets, cursor, now, signal }) {
    const certificateAuthority = config.certificateAuthority && pemOf(config.certificateAuthority);
    try {
      await using session = await ImapSession.open(
        { ...config, certificateAuthority },
        { ...config, ...secrets },
        signal,
      );
      return await readPage(session, { ...config, cursor, now });
    } catch (error) {
      throw explained(error, config);
    }
  },
});

/** What cannot be read as a certificate would be passed over in silence, and trust nobody. */
function certificateFaults(pem: string | undefined): Fault[] {
  if (pem === undefined) return [];
  try {
    new X509Certificate(pemOf(pem));
    return [];
  } catch {
    return [{
      pointer: "/config/certificateAuthority",
      detail: "is no certificate in PEM, which begins with -----BEGIN CERTIFICATE-----",
    }];
  }
}

/** A field of one line takes the line ends out of what is put into it. */
function pemOf(text: string): string {
  return text.replaceAll(/(-----BEGIN CERTIFICATE-----)([^-]*)(-----END CERTIFICATE-----)/g, (_, begin, body, end) => {
    return `${begin}\n${String(body).replaceAll(/\s/g, "").replaceAll(/.{64}/g, "$&\n")}\n${end}\n`;
  });
}
