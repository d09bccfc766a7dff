/**
 * Derives the key of one device: `deno task device-key scale-7`, with the connector's master secret on standard input,
 * where neither a list of processes nor the shell's history shows it.
 *
 * @module
 */
import { deviceIdSchema, deviceKey } from "../connectors/device/device_key.ts";

const USAGE = "Usage: deno task device-key <device id>, with the master secret on standard input";
const LEAST_CHARACTERS = 32;

async function derive(args: readonly string[]): Promise<string> {
  const [id, ...more] = args;
  if (id === undefined || more.length > 0) throw new Error(USAGE);
  const deviceId = deviceIdSchema.safeParse(id);
  if (!deviceId.success) {
    throw new Error(`Cannot derive the key: the id is wrong: ${deviceId.error.issues[0]?.message}`);
  }
  const masterSecret = (await new Response(Deno.stdin.readable).text()).trim();
  if (masterSecret.length < LEAST_CHARACTERS) {
    throw new Error(`Cannot derive the key: the master secret has fewer than ${LEAST_CHARACTERS} characters. ${USAGE}`);
  }
  return deviceKey(masterSecret, deviceId.data);
}

try {
  const key = await derive(Deno.args);
  // deno-lint-ignore no-console -- a command speaks on standard output
  console.log(key);
} catch (error) {
  // deno-lint-ignore no-console -- a command speaks of its failures on standard error
  console.error(error instanceof Error ? error.message : error);
  Deno.exit(1);
}
