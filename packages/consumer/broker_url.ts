const SUCH_AS = "such as amqp://user:password@host:5672";

/**
 * Checks the broker's address, and gives it as the client takes it: who names no user is `guest`, as RabbitMQ's other
 * clients have it (https://www.rabbitmq.com/docs/uri-spec).
 *
 * @throws {TypeError} if it is no address of a broker; the message does not quote it, for there may be a password in it
 */
export function brokerUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined; // URL.parse is of Node 22 and later.
  if (url === undefined || url.hostname === "" || !["amqp:", "amqps:"].includes(url.protocol)) {
    throw new TypeError(`Cannot consume: url is no address ${SUCH_AS}`);
  }
  if (!isEncoded(`${url.username}${url.password}${url.pathname}`)) {
    throw new TypeError("Cannot consume: in url is a % that is not encoded: write %25 for it");
  }
  if (url.username === "") [url.username, url.password] = ["guest", "guest"];
  return url.href;
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
