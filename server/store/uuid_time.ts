/** When a UUIDv7 was made: it begins with its time, in milliseconds since the epoch, in 48 bits (RFC 9562, section 5.7). */
export function timeOf(uuidv7: string): number {
  return Number.parseInt(uuidv7.replaceAll("-", "").slice(0, 12), 16);
}
