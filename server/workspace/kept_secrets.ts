import type { Connector, Fault } from "../../connectors/kit/mod.ts";
import type { ConnectorConfig } from "../deps.ts";
import { InvalidInputError } from "../errors.ts";

type Settings = Pick<ConnectorConfig, "config" | "secrets">;

/**
 * Keeps stored secrets from being sent elsewhere than they were entered for: whoever may change settings, and see no
 * secret, would have a password sent to a server of their own. Where the destination changes, secrets are given anew.
 *
 * @param given Names of the secrets that the change gives anew, or clears.
 * @throws {InvalidInputError} that names each secret to give
 */
export function requireSecretsAnew(
  connector: Connector,
  { stored, next, given }: { readonly stored: Settings; readonly next: Settings; readonly given: readonly string[] },
): void {
  const [before, after] = [destinationOf(connector, stored), destinationOf(connector, next)];
  const changed = connector.secretsGoTo.filter((name) => before.get(name) !== after.get(name));
  if (changed.length === 0) return;
  const kept = Object.keys(stored.secrets).filter((name) => !given.includes(name) && !changed.includes(name));
  if (kept.length === 0) return;
  const detail = `is required again: ${changed.join(" and ")} changed, so it would be sent elsewhere`;
  const faults = kept.map((name): Fault => ({ pointer: `/secrets/${name}`, detail }));
  throw new InvalidInputError("Cannot save: stored secrets are not sent elsewhere than before", faults);
}

/** What says where secrets are sent, by name; a setting that is left out is its default. */
function destinationOf({ secretsGoTo, configSchema }: Connector, { config, secrets }: Settings): Map<string, string> {
  const whole = configSchema.safeParse(config).data ?? config;
  return new Map(secretsGoTo.map((name) => [name, JSON.stringify([whole[name], secrets[name]])]));
}
