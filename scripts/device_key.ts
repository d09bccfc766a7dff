/**
 * Derives the key of one device: `deno task device-key scale-7`, with the connector's master secret on standard input,
 * where neither a list of processes nor the shell's history shows it.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { deviceIdSchema, deviceKey } from "../connectors/device/device_key.ts";
import { callOf } from "../server/commands.ts";
import { CommandError, print, runCommand, UsageError } from "./cli/command.ts";

const CALL = callOf("device-key");

const HELP = `Derives the key of a device, for the connector "device".

  ${CALL} ID < FILE

  ID    the device's id: letters, digits and . _ : -
  FILE  holds the connector's master secret: it is read from standard input, where neither a list of processes
        nor the shell's history shows it

  ${CALL} scale-7 < master-secret.txt`;

const LEAST_CHARACTERS = 32;

async function derive(args: string[]): Promise<string> {
  const { positionals: [id, ...more] } = parseArgs({ args, allowPositionals: true, options: {} });
  if (id === undefined || more.length > 0) throw new UsageError("name one device");
  const deviceId = deviceIdSchema.safeParse(id);
  if (!deviceId.success) {
    throw new CommandError(`Cannot derive the key: the id is wrong: ${deviceId.error.issues[0]?.message}`);
  }
  const masterSecret = (await new Response(Deno.stdin.readable).text()).trim();
  if (masterSecret.length < LEAST_CHARACTERS) {
    throw new CommandError(
      `Cannot derive the key: the master secret on standard input has fewer than ${LEAST_CHARACTERS} characters`,
    );
  }
  return deviceKey(masterSecret, deviceId.data);
}

await runCommand({ task: "device-key", help: HELP }, async (args) => print(await derive(args)));
