/** What deploy/ has for Prometheus and Grafana: promtool takes it, and it is about metrics that there are. */
import assert from "node:assert/strict";
import { z } from "zod";
import { DEFINITIONS } from "../server/telemetry/definitions.ts";
import { promtool } from "./support/promtool.ts";

const PROMETHEUS = "deploy/prometheus";
const dashboardSchema = z.object({
  panels: z.array(z.object({
    type: z.string(),
    title: z.string().min(1),
    targets: z.array(z.object({ expr: z.string() })).default([]),
  })),
});

/** Names that an expression has of Inlet's or its process's metrics, a histogram's without its suffix. */
function metricsIn(expression: string): string[] {
  const names = expression.match(/\b(?:inlet|process)_\w+/g) ?? [];
  return names.map((name) => name.replace(/(_seconds)_(?:bucket|sum|count)$/, "$1"));
}

async function expressionsOfDashboard(): Promise<string[]> {
  const { panels } = dashboardSchema.parse(JSON.parse(await Deno.readTextFile("deploy/grafana/inlet.json")));
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

Deno.test("promtool takes the scrape configuration and the alerts, and each alert is raised by what it is for", async () => {
  for (
    const [args, said] of [
      [["check", "config", "--syntax-only", `${PROMETHEUS}/prometheus.yml`], /SUCCESS/],
      [["check", "rules", `${PROMETHEUS}/alerts.yml`], /SUCCESS: \d+ rules found/],
      [["test", "rules", `${PROMETHEUS}/alerts_test.yml`], /SUCCESS/],
    ] as const
  ) {
    const { ok, output } = await promtool(args);
    assert.ok(ok, output);
    assert.match(output, said);
  }
});

Deno.test("every alert has a runbook in docs/operating.md, and every runbook its alert", async () => {
  const alerts = await Deno.readTextFile(`${PROMETHEUS}/alerts.yml`);
  const names = Array.from(alerts.matchAll(/- alert: (\w+)/g), ([, name = ""]) => name);
  const runbooks = Array.from(alerts.matchAll(/runbook: (\S+)/g), ([, link]) => link);
  assert.deepEqual(runbooks, names.map((name) => `docs/operating.md#${name.toLowerCase()}`));
  const operating = await Deno.readTextFile("docs/operating.md");
  const headings = Array.from(operating.matchAll(/^### (Inlet\w+)$/gm), ([, name]) => name);
  assert.deepEqual(headings.sort(), names.sort());
});

Deno.test("alerts and dashboard are about metrics that the service tells, and leave out none of them", async () => {
  const alerts = await Deno.readTextFile(`${PROMETHEUS}/alerts.yml`);
  const expressions = await expressionsOfDashboard();
  const known = new Set(Object.keys(DEFINITIONS));
  const shown = new Set(expressions.flatMap(metricsIn));
  assert.deepEqual(metricsIn(alerts).filter((name) => !known.has(name)), []);
  assert.deepEqual([...shown].sort(), [...known].sort());
});

Deno.test("the dashboard's expressions are PromQL", async () => {
  const rules = (await expressionsOfDashboard()).map((expr, index) => ({
    record: `dashboard:${index}`,
    expr: expr.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*"),
  }));
  assert.ok(rules.length > 20 && rules.every(({ expr }) => !expr.includes("$")));
  const file = await Deno.makeTempFile({ suffix: ".yml" });
  try {
    await Deno.writeTextFile(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
    const { ok, output } = await promtool(["check", "rules", file]);
    assert.ok(ok, output);
  } finally {
    await Deno.remove(file);
  }
});
