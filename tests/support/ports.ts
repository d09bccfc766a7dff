/** Free TCP ports for servers that a test starts. */

// Below the ports that systems hand out to outgoing connections: a client which tries again and again to reach a
// killed server must not take the server's port, nor connect to itself.
const FIRST = 20_000;
const LAST = 31_999;

// Test files run side by side, and a server that is killed or still starting does not hold its port. So each file has
// ports of its own. It listens on the first of them for as long as it lives, whatever ends it: thereby others know.
const OWN = 100;

function tryListen(port: number): Deno.TcpListener | undefined {
  try {
    return Deno.listen({ hostname: "127.0.0.1", port });
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return undefined;
    throw error;
  }
}

function claim(): Deno.TcpListener {
  const count = (LAST + 1 - FIRST) / OWN;
  const start = Math.floor(Math.random() * count);
  for (let tries = 0; tries < count; tries++) {
    const claimed = tryListen(FIRST + (start + tries) % count * OWN);
    if (claimed !== undefined) return claimed;
  }
  throw new Error(`Cannot find free ports: all between ${FIRST} and ${LAST} are taken by other tests`);
}

const claimed = claim();
let handedOut = 0;

function listenSomewhere(): Deno.TcpListener {
  for (let tries = 1; tries < OWN; tries++) {
    const listener = tryListen(claimed.addr.port + 1 + handedOut++ % (OWN - 1));
    if (listener !== undefined) return listener;
  }
  throw new Error(`Cannot find a free port: all ${OWN - 1} from ${claimed.addr.port + 1} are in use`);
}

/**
 * Finds `count` different ports on 127.0.0.1 that nobody listens on at this moment. No other test file is given them
 * while this one runs, nor is this one again, until it has been given all that it has. A program that is no test can
 * take one before you do: whoever starts a server on it should be ready to try again with other ports.
 */
export function freePorts(count: number): number[] {
  const listeners = Array.from({ length: count }, listenSomewhere);
  for (const listener of listeners) listener.close();
  return listeners.map((listener) => listener.addr.port);
}
