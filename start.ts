/**
 * Serves the service of main.ts on a port of its own, and stops it in good order: what `deno task start` runs.
 *
 * @module
 */
// First of all: to import main.ts is to start the service.
import { onStopSignal } from "./server/stop_signal.ts";
import "./server/usage.ts";
import { getLogger } from "@logtape/logtape";
import inlet, { exitWith } from "./main.ts";
import { hostAndPort } from "./server/access/local.ts";
import { settledWithin } from "./server/timeouts.ts";
import { ConfigError, messageOf } from "./server/errors.ts";

const log = getLogger(["inlet"]);
const { host, port, publicUrl } = inlet.config;

function listen(): Deno.HttpServer {
  try {
    return Deno.serve({
      hostname: host,
      port,
      onListen: ({ hostname, port }) => {
        const address = hostAndPort(hostname, port);
        log.info("listening on {address}, webhook URLs begin with {publicUrl}", { address, publicUrl });
      },
    }, inlet.fetch);
  } catch (error) {
    throw new ConfigError(`Cannot start: cannot listen on ${hostAndPort(host, port)} (HOST, PORT): ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.AddrInUse) return "it is taken, set PORT to another";
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return "this machine has no such address, set HOST to one of its own";
  }
  if (error instanceof Deno.errors.PermissionDenied) return "this user may not, set PORT to 1024 or more";
  const said = messageOf(error);
  return said.includes("failed to lookup") ? "the host name is unknown, set HOST to an address of this machine" : said;
}

/** How long answers that are written may take to leave. */
const FLUSH_MS = 1000;

const server = await Promise.resolve().then(listen).catch(exitWith);

async function stop(): Promise<never> {
  await inlet.drain();
  await settledWithin(FLUSH_MS, server.shutdown());
  await inlet.close();
  Deno.exit(0);
}

onStopSignal(() => stop().catch(exitWith));
