/** Knowing when a broker accepts AMQP, rather than when its port is open. */

const PROTOCOL_HEADER = new Uint8Array([0x41, 0x4d, 0x51, 0x50, 0, 0, 9, 1]); // "AMQP", then version 0-9-1
const METHOD_FRAME = 1;

/**
 * Tells whether an AMQP 0-9-1 broker answers on 127.0.0.1: it greets a protocol header with a method frame. An open
 * port alone says little, because a proxy or a node that is still booting can accept a connection and drop it.
 *
 * @param port Where to knock.
 * @param patienceMs How long a connection may take to answer.
 */
export async function speaksAmqp(port: number, patienceMs = 2_000): Promise<boolean> {
  let connection: Deno.TcpConn;
  try {
    connection = await Deno.connect({ hostname: "127.0.0.1", port });
  } catch {
    return false;
  }
  let open = true;
  const close = () => {
    if (open) connection.close();
    open = false;
  };
  const timer = setTimeout(close, patienceMs);
  try {
    await connection.write(PROTOCOL_HEADER);
    const answer = new Uint8Array(1);
    return await connection.read(answer) === 1 && answer[0] === METHOD_FRAME;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    close();
  }
}

/** What {@linkcode waitForAmqp} waits for, and when it gives up. */
export interface AmqpWait {
  /** The port on 127.0.0.1. */
  readonly port: number;
  /** Says why there is no point in waiting on, or nothing as long as there is. */
  readonly gaveUp: () => string | undefined;
  /** How long to wait in all. Default: five minutes. */
  readonly deadlineMs?: number;
}

/**
 * Polls until a broker accepts AMQP.
 *
 * @throws {Error} If `gaveUp` gives a reason, or the deadline passes first.
 */
export async function waitForAmqp({ port, gaveUp, deadlineMs = 300_000 }: AmqpWait): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!await speaksAmqp(port)) {
    const reason = gaveUp();
    if (reason !== undefined) throw new Error(`Cannot reach RabbitMQ on port ${port}: ${reason}`);
    if (performance.now() > deadline) {
      throw new Error(`Cannot reach RabbitMQ on port ${port}: it does not speak AMQP after ${deadlineMs / 1000} s`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
