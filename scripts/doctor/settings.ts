import { isLoopback } from "../../server/access/local.ts";
import { callOf } from "../../server/commands.ts";
import { type Config, loadConfig } from "../../server/config.ts";
import { ConfigError } from "../../server/errors.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** The version of Deno that everything is tested with: its major and minor number. */
const TESTED_DENO = [2, 9] as const;

/** Whether this Deno is one that Inlet is tested with. */
export function examineRuntime(version: string): Finding {
  const { ok, warning } = findingsOf("deno");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [testedMajor, testedMinor] = TESTED_DENO;
  if (major === testedMajor && minor >= testedMinor) return ok(version);
  return warning(
    `${version}, and Inlet is tested with ${TESTED_DENO.join(".")}`,
    `Use Deno ${TESTED_DENO.join(".")}, as npx -y deno@2.9.6 does`,
  );
}

/** Reads the settings as a start does; without `config` where they are wrong. */
export function examineSettings(
  get: (name: string) => string | undefined,
): { readonly config?: Config; readonly findings: readonly Finding[] } {
  const { ok, warning, problem } = findingsOf("settings");
  try {
    const config = loadConfig(get);
    const findings = [ok("every variable has a usable value")];
    const { protocol, hostname } = new URL(config.publicUrl);
    const isHere = isLoopback(hostname);
    if (isHere) {
      findings.push(warning(
        `webhook URLs begin with ${config.publicUrl}, which only this machine reaches`,
        "Set PUBLIC_URL to where senders reach this service, unless none is elsewhere",
      ));
    } else if (protocol === "http:") {
      findings.push(warning(
        `PUBLIC_URL is ${config.publicUrl}: deliveries, and the tokens in webhook URLs, go over the network readable`,
        "Put a proxy with TLS in front, and set PUBLIC_URL to its https:// address",
      ));
    }
    return { config, findings };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      findings: error.message.split("\n").map((line) => {
        return problem(
          line.replace(/^Cannot start: /, ""),
          `Correct it: ${callOf("start")} --help says what each takes`,
        );
      }),
    };
  }
}
