/**
 * The addresses in `AMQP_URL`: one, or those of a cluster's nodes with commas between. A comma in a password is none of
 * those between: what follows is no address.
 */
export function amqpUrlsIn(text: string): string[] {
  return text.split(/\s*,\s*(?=amqps?:\/\/)/);
}
