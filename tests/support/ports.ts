/** Free TCP ports for servers that a test starts. */

// Below the ports that systems hand out to outgoing connections: a client which tries again and again to reach a
// killed server must not take the server's port, nor connect to itself.
const FIRST = 20_000;
const LAST = 31_999;

function listenSomewhere(): Deno.TcpListener {
  for (let tries = 0; tries < 100; tries++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    try {
      return Deno.listen({ hostname: "127.0.0.1", port });
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
  throw new Error(`Cannot find a free port: 100 ports between ${FIRST} and ${LAST} are in use`);
}

/**
 * Finds `count` different ports on 127.0.0.1 that nobody listens on at this moment. Another process can take one
 * before you do: whoever starts a server on it should be ready to try again with other ports.
 */
export function freePorts(count: number): number[] {
  const listeners = Array.from({ length: count }, listenSomewhere);
  for (const listener of listeners) listener.close();
  return listeners.map((listener) => listener.addr.port);
}
