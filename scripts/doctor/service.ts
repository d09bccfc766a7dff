import { z } from "zod";
import { isLoopback, reachedHereAt } from "../../server/access/local.ts";
import { callOf } from "../../server/commands.ts";
import type { Config } from "../../server/config.ts";
import { keys } from "../../server/store/keys.ts";
import { timeOf } from "../../server/store/uuid_time.ts";
import { counted } from "../../server/words.ts";
import { explainFetchFailure, isRefusal } from "./fetch_failure.ts";
import { type Finding, findingsOf } from "./finding.ts";

const ANSWER_TIMEOUT_MS = 15_000;
/** Sources that sign a time are refused when it is five minutes off. */
const MOST_SKEW_MS = 60_000;

const checkSchema = z.object({ ok: z.boolean(), detail: z.string() });
const readinessSchema = z.object({
  ready: z.boolean(),
  checks: z.object({
    store: checkSchema,
    broker: checkSchema.extend({ unrouted: z.int() }),
    spool: checkSchema.extend({ entries: z.int(), bytes: z.int() }).optional(),
  }),
});
const setupSchema = z.object({ setupComplete: z.boolean(), hasActiveConnectors: z.boolean() });
const problemSchema = z.object({ type: z.string().startsWith("urn:inlet:problem:") });

/** Whether the service runs here, and what it says of itself. */
export async function examineService({ host, port }: Config): Promise<{ runs: boolean; findings: readonly Finding[] }> {
  const { ok, warning, problem } = findingsOf("service");
  if (port === 0) {
    const finding = warning(
      "took a free port, if it runs: PORT is 0",
      "Set PORT to the one that its log names, and ask again",
    );
    return { runs: false, findings: [finding] };
  }
  const here = reachedHereAt(host, port);
  let response: Response;
  try {
    response = await fetch(`http://${here}/readyz`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
  } catch (error) {
    const finding = isRefusal(error) ? ok(`does not run at ${here}; ${callOf("start")} starts it`) : problem(
      `cannot be asked at ${here}: ${explainFetchFailure(error)}`,
      "If Inlet has the port (ss -ltnp says who), look at its log; else set HOST and PORT to where it is to be",
    );
    return { runs: false, findings: [finding] };
  }
  const readiness = readinessSchema.safeParse(await response.json().catch(() => undefined));
  if (!readiness.success) {
    return {
      runs: false,
      findings: [problem(`another program than Inlet listens on ${here}`, "Set PORT to another, or end that program")],
    };
  }
  const { ready, checks: { store, broker, spool } } = readiness.data;
  const findings = [
    ready
      ? ok(`runs at ${here} and takes deliveries`)
      : problem(`runs at ${here} and takes no deliveries`, "See below, and its log"),
  ];
  if (!store.ok) findings.push(problem(`its store: ${store.detail}`, "Look at its log, and at the store above"));
  if (!broker.ok) findings.push(warning(`its broker: ${broker.detail}`, "Events are spooled until that is mended"));
  if (spool !== undefined && !spool.ok) {
    findings.push(problem(`its spool: ${spool.detail}`, "Mend the broker, or raise SPOOL_MAX_BYTES"));
  } else if (spool !== undefined && spool.entries > 0) {
    findings.push(
      warning(
        `${counted(spool.entries, "event", ["waits", "wait"])} in the spool`,
        "What waits leaves by itself when the broker confirms",
      ),
    );
  }
  if (broker.unrouted > 0) {
    findings.push(warning(
      `${counted(broker.unrouted, "event")} since its start reached no queue, and the broker threw that away`,
      "Bind a queue to the exchange, or give it an alternate exchange (a policy) that keeps them",
    ));
  }
  return { runs: true, findings };
}

/**
 * Whether an Inlet answers where webhook URLs point, asked as a source would: with a delivery to a webhook URL that does not
 * exist. Also compares clocks with whoever answers.
 */
export async function examinePublicUrl(config: Config, runs: boolean): Promise<Finding[]> {
  const { publicUrl } = config;
  const { ok, warning, problem } = findingsOf("public URL");
  let response: Response;
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    response = await fetch(`${publicUrl}/webhooks/doctor/none`, { method: "POST", signal, redirect: "manual" });
  } catch (error) {
    const said = `${publicUrl} does not answer: ${explainFetchFailure(error)}`;
    if (!runs) return [warning(said, "Start the service, and ask again")];
    return [
      problem(
        said,
        "Look whether PUBLIC_URL is right; then at DNS, firewall and proxy. Some routers only lead in from outside: there, " +
          `try curl -i ${publicUrl}/healthz`,
      ),
    ];
  }
  const found = problemSchema.safeParse(await response.json().catch(() => undefined));
  if (!found.success) {
    const to = response.headers.get("location");
    return [problem(
      `${publicUrl} answers ${response.status}${to === null ? "" : ` (a redirect to ${to})`}, and it is not Inlet`,
      "Set PUBLIC_URL to where this service is reached, and let the proxy there pass on /webhooks/",
    )];
  }
  const skew = examineSkew(response.headers.get("date"), Date.now());
  return [ok(`an Inlet answers at ${publicUrl}`), ...await examineOpenness(config), skew];
}

/**
 * Whether who comes by PUBLIC_URL is taken for somebody at this machine, where nobody has to sign in: Inlet cannot tell where a
 * proxy sends a `Host` of its own, and no header that says so.
 */
async function examineOpenness({ adminToken, publicUrl }: Config): Promise<Finding[]> {
  if (adminToken !== undefined || isLoopback(new URL(publicUrl).hostname)) return [];
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const answer = await fetch(`${publicUrl}/setup/status`, { signal, redirect: "manual" })
    .then((response) => response.json()).catch(() => undefined);
  if (!setupSchema.safeParse(answer).success) return [];
  return [
    findingsOf("public URL").problem(
      "whoever comes that way may change everything: the proxy there hides that it passes requests on",
      "Set ADMIN_TOKEN; or let the proxy pass on /webhooks/ only",
    ),
  ];
}

/** Compares the clock with an HTTP `Date` (RFC 9110, section 6.6.1), which has seconds. */
export function examineSkew(date: string | null, nowMs: number): Finding {
  const { ok, warning } = findingsOf("clock");
  const theirs = Date.parse(date ?? "");
  if (Number.isNaN(theirs)) return ok("nothing to compare it with");
  const skewMs = Math.abs(nowMs - theirs);
  if (skewMs <= MOST_SKEW_MS) return ok("agrees with whoever answers at PUBLIC_URL");
  return warning(
    `is ${Math.round(skewMs / 1000)} s off whoever answers at PUBLIC_URL: signatures with a time may be refused`,
    "Let NTP set it: timedatectl set-ntp true",
  );
}

/** Whether the clock is behind what the store holds: entries of the audit have their time in their id. */
export async function examineClock(kv: Deno.Kv, nowMs: number): Promise<Finding[]> {
  const { warning } = findingsOf("clock");
  for await (const { key } of kv.list({ prefix: keys.audits() }, { limit: 1, reverse: true })) {
    const aheadMs = timeOf(String(key.at(-1))) - nowMs;
    if (aheadMs <= MOST_SKEW_MS) return [];
    return [warning(
      `the store's newest entry is of ${Math.round(aheadMs / 1000)} s from now: the clock was set back, or was wrong`,
      "Let NTP set it: timedatectl set-ntp true",
    )];
  }
  return [];
}
