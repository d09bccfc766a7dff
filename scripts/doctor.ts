/**
 * Looks at everything that the service needs, and says of each whether it is as it has to be, or what to do: `deno task
 * doctor`. Changes nothing, and may be run beside the service.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { callOf } from "../server/commands.ts";
import { examineBroker } from "./doctor/broker.ts";
import { type Finding, formatFindings } from "./doctor/finding.ts";
import { examineKey } from "./doctor/key.ts";
import { examineClock, examinePublicUrl, examineService } from "./doctor/service.ts";
import { examineRuntime, examineSettings } from "./doctor/settings.ts";
import { examineStore } from "./doctor/store.ts";
import { print, runCommand } from "./cli/command.ts";

const CALL = callOf("doctor");

const HELP = `Says of everything that the service needs whether it is as it has to be, or what to do.

  ${CALL} [--json]

  --json  the findings as JSON: about, state (ok, warning, problem), detail, remedy

Settings in the environment, as for the service. Changes nothing. Ends with 1 if there is a problem.`;

async function examine(): Promise<readonly Finding[]> {
  const { config, findings } = examineSettings((name) => Deno.env.get(name));
  const known = [examineRuntime(Deno.version.deno), ...findings];
  if (config === undefined) return known;
  const { kv, findings: ofStore } = await examineStore(config);
  try {
    const isReadable = !ofStore.some(({ state }) => state === "problem");
    const ofKey = kv !== undefined || isReadable ? await examineKey(config, kv) : [];
    const ofBroker = await examineBroker(config);
    const { runs, findings: ofService } = await examineService(config);
    const ofClock = kv === undefined ? [] : await examineClock(kv, Date.now());
    const ofUrl = await examinePublicUrl(config, runs);
    return [...known, ...ofStore, ...ofKey, ...ofBroker, ...ofService, ...ofUrl, ...ofClock];
  } finally {
    kv?.close();
  }
}

await runCommand({ task: "doctor", help: HELP }, async (args) => {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({ args, options: { json: flag } });
  const findings = await examine();
  print(values.json ? JSON.stringify(findings, undefined, 2) : formatFindings(findings));
  return findings.some(({ state }) => state === "problem") ? 1 : 0;
});
