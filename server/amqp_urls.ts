/**
 * The addresses in `AMQP_URL`: one, or those of a cluster's nodes with commas between. A comma in a password is none of
 * those between: what follows is no address.
 */
export function amqpUrlsIn(text: string): string[] {
  return text.split(/\s*,\s*(?=amqps?:\/\/)/);
}

/** An address with a port, which it captures. A `@` further on belongs to a password that is not percent-encoded. */
const PORT = /^amqps?:\/\/(?:[^@/?#]*@)?(?:\[[^\]]*\]|[^[:@/?#,]*):([^@/?#]*)(?![^@]*@)(?:[/?#]|$)/;

/** Whether what an address has after its host and a colon is a port, 1 to 65535, or nothing. */
export function hasUsablePort(url: string): boolean {
  const port = PORT.exec(url)?.[1] ?? "";
  return port === "" || /^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535;
}
