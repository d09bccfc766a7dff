/** Certificates for a server on this machine, made with the openssl command. */

import { runQuietly } from "../rabbitmq/run.ts";

/** Where the PEM files of a test's certificates lie. */
export interface Certificates {
  /** The authority that signed the server's certificate. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Which certificate a server has: a proper one, one for another host, or an authority's own (`openssl req -x509`). */
export type CertificateKind = "proper" | "for another host" | "self-signed";

/**
 * Makes an authority nobody knows, and a certificate of it for `localhost` and 127.0.0.1, in `folder`.
 *
 * @throws {Error} If openssl cannot be run.
 */
export async function makeCertificates(folder: string, kind: CertificateKind = "proper"): Promise<Certificates> {
  const at = (name: string) => `${folder}/${name}`;
  const names = kind === "for another host" ? "DNS:mail.example.com" : "DNS:localhost, IP:127.0.0.1";
  await Deno.writeTextFile(at("extensions"), `basicConstraints = CA:FALSE\nsubjectAltName = ${names}\n`);
  const authority = ["-keyout", at("ca.key"), "-out", at("ca.pem"), "-subj", "/CN=An authority of a test"];
  await runQuietly("openssl", [
    "req",
    "-x509",
    ...KEY,
    "-days",
    "30",
    ...authority,
    "-addext",
    `subjectAltName=${names}`,
  ]);
  if (kind === "self-signed") return { authority: at("ca.pem"), certificate: at("ca.pem"), key: at("ca.key") };
  await runQuietly("openssl", ["req", ...KEY, "-keyout", at("key"), "-out", at("csr"), "-subj", "/CN=localhost"]);
  const signed = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial", "-extfile", at("extensions")];
  await runQuietly("openssl", ["x509", "-req", "-in", at("csr"), "-out", at("pem"), "-days", "30", ...signed]);
  return { authority: at("ca.pem"), certificate: at("pem"), key: at("key") };
}
