import { createHmac } from "node:crypto";
import { Buffer } from "node:buffer";
import examples from "@octokit/webhooks-examples" with { type: "json" };
import { z } from "zod";

/** The secret that all deliveries are signed with, as GitHub's. */
export const SECRET = "a secret that the bench shares with GitHub";

/** Bytes of the bodies that count as 8 KB. */
const LEAST_BYTES = 7600;
const MOST_BYTES = 8700;
/** The length of a delivery id: a UUID's. */
const ID_LENGTH = 36;

const examplesSchema = z.array(z.object({ name: z.string(), examples: z.array(z.looseObject({})) }));

interface Example {
  readonly event: string;
  readonly body: Buffer;
  readonly signature: string;
}

/**
 * GitHub's real payloads of about 8 KB, from npm `@octokit/webhooks-examples`, signed. A push is none of them: it becomes
 * an event for each commit, and what is counted here is one event a delivery.
 */
function signedExamples(): Example[] {
  const all = examplesSchema.parse(examples).filter(({ name }) => name !== "push");
  return all.flatMap(({ name, examples }) =>
    examples.map((example) => sign(name, Buffer.from(JSON.stringify(example))))
  )
    .filter(({ body }) => body.length >= LEAST_BYTES && body.length <= MOST_BYTES);
}

function sign(event: string, body: Buffer): Example {
  return { event, body, signature: createHmac("sha256", SECRET).update(body).digest("hex") };
}

/** A whole HTTP/1.1 request, ready to be written. It gets another delivery id each time that it is sent. */
export class Delivery {
  readonly #request: Buffer;
  readonly #idAt: number;

  constructor(readonly port: number, path: string, { event, body, signature }: Example) {
    const before = [
      `POST ${path} HTTP/1.1`,
      `host: 127.0.0.1:${port}`,
      "user-agent: GitHub-Hookshot/0123456",
      "accept: */*",
      "content-type: application/json",
      `content-length: ${body.length}`,
      `x-github-event: ${event}`,
      `x-hub-signature-256: sha256=${signature}`,
      "x-github-delivery: ",
    ].join("\r\n");
    this.#idAt = before.length;
    this.#request = Buffer.concat([Buffer.from(`${before}${" ".repeat(ID_LENGTH)}\r\n\r\n`), body]);
  }

  /** The request as it is to be written, under the delivery id `id`, which is as long as a UUID. */
  as(id: string): Uint8Array {
    this.#request.write(id, this.#idAt, "latin1");
    return this.#request;
  }
}

/** Makes delivery ids that nobody else makes. */
export function deliveryIds(): () => string {
  const prefix = crypto.randomUUID().slice(0, 24);
  let count = 0;
  return () => prefix + (count++).toString(16).padStart(12, "0");
}

/**
 * Deliveries to webhook URLs on 127.0.0.1, which take turns, as the examples do. At least `least` of them: each is to be
 * used by one connection at a time.
 */
export function deliveriesTo(urls: readonly string[], least: number): Delivery[] {
  const signed = signedExamples();
  const places = urls.map((url) => new URL(url));
  const count = Math.max(urls.length, signed.length, least);
  return Array.from({ length: count }, (_, index) => {
    const { port, pathname } = turn(places, index);
    return new Delivery(Number(port), pathname, turn(signed, index));
  });
}

function turn<T>(all: readonly T[], index: number): T {
  const chosen = all[index % all.length];
  if (chosen === undefined) throw new Error("Cannot send: there is nothing to choose from");
  return chosen;
}
