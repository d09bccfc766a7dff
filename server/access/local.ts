/** Headers that a proxy adds: with one of them, the peer is not who asks. */
const FORWARDING = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-forwarded-server",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "true-client-ip",
  "cf-connecting-ip",
  "fastly-client-ip",
  "fly-client-ip",
];

/**
 * Why a request does not truly come from this machine; `undefined` if it does. Its peer and its `Host` are loopback, and
 * no proxy has passed it on: a name that somebody else's DNS points at this machine (DNS rebinding) is a foreign `Host`.
 *
 * @param peer The address that is connected; `undefined` where that is not known.
 */
export function foreignness({ headers, url }: Request, peer: string | undefined): string | undefined {
  if (peer === undefined || !isLoopback(peer)) return "it does not come from this machine";
  const host = hostnameOf(headers.get("host") ?? new URL(url).host);
  if (!isLoopback(host)) {
    return `it was sent to ${JSON.stringify(host.slice(0, 100))}, which is not a name of this machine`;
  }
  const forwarding = FORWARDING.find((name) => headers.has(name));
  return forwarding === undefined ? undefined : `a proxy has passed it on (it has the header ${forwarding})`;
}

/** Whether a host name or an address always means this machine. */
export function isLoopback(host: string): boolean {
  const plain = withoutBrackets(host).toLowerCase().replace(/^::ffff:/, "").replace(/\.$/, "");
  return plain === "localhost" || plain === "::1" || /^127(?:\.\d{1,3}){3}$/.test(plain);
}

/** Whether a URL leads to whatever machine it is opened on: names below `localhost` are kept for that, too (RFC 6761). */
export function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return isLoopback(hostname) || hostname.endsWith(".localhost");
}

/** The host of a `Host` header, without port and brackets. */
function hostnameOf(host: string): string {
  return withoutBrackets(host.replace(/:\d*$/, ""));
}

/** An address of IPv6 as it is without the brackets that it has in a URL; whatever else as it is. */
function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/** A host and a port as in a URL: an address of IPv6 has brackets there (RFC 3986, section 3.2.2). */
export function hostAndPort(host: string, port: number): string {
  const plain = withoutBrackets(host);
  return `${plain.includes(":") ? `[${plain}]` : plain}:${port}`;
}

/** What means every address of the machine to whoever listens, and none to whoever calls. */
const ALL_ADDRESSES = /^(?:0\.0\.0\.0|0|[0:]*::[0:]*|0(?::0){7})$/;

/**
 * The host and port where a service that listens on `host` is reached from its own machine. What listens on all addresses of
 * IPv6 does so on those of IPv4, too.
 */
export function reachedHereAt(host: string, port: number): string {
  return hostAndPort(ALL_ADDRESSES.test(withoutBrackets(host)) ? "127.0.0.1" : host, port);
}
