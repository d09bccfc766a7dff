import { createHmac } from "node:crypto";
import {
  type Delivery,
  type Digest,
  freshnessOf,
  matchSignatures,
  missing,
  signatureOf,
  type Verdict,
} from "../kit/mod.ts";
import { entriesAt } from "./places.ts";

const HEADER = "inlet-signed";
const VERSION = "v1=";

// A sender whose time stands in the body sets it anew with each request. An example or a replay cannot: its body stays
// as it is. So what is signed here says when in a header of our own, over time and body, with a key that is derived
// from the sender's secret and serves nothing else.

/** The header that says when a request was signed here. */
export function resigned({ body, receivedAt }: Delivery, key: Uint8Array): Record<string, string> {
  const time = String(Math.floor(receivedAt.getTime() / 1000));
  return { [HEADER]: `t=${time},${VERSION}${signatureOf(body, digest(key, time))}` };
}

/** Whether a request was signed here at the present time; the fault is `missing` if it does not say so. */
export function isResigned(delivery: Delivery, key: Uint8Array, toleranceMs: number): Verdict {
  const value = delivery.headers.get(HEADER);
  if (value === null) return missing(HEADER);
  const place = `the header ${HEADER}`;
  const [time = "", ...others] = entriesAt(value, "t");
  const fresh = freshnessOf(others.length > 0 ? "" : time, delivery.receivedAt, place, toleranceMs);
  return fresh.authentic ? matchSignatures(delivery, entriesAt(value, "v1"), digest(key, time), place, VERSION) : fresh;
}

function digest(key: Uint8Array, time: string): Digest {
  return { key: createHmac("sha256", key).update(HEADER).digest(), signs: (body) => [`${time}.`, body] };
}
