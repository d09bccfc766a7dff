import assert from "node:assert/strict";
import { catalogue } from "../connectors/catalogue.ts";
import { variables } from "../server/config.ts";
import { EVENT_SOURCES } from "./docs/events.ts";
import { DEFINITIONS } from "../server/telemetry/definitions.ts";
import { configurationTable, metricsTable, sourcesTable, withSources, withTables } from "./docs.ts";

Deno.test("the README's tables are the present ones: else run `deno task docs`", async () => {
  const readme = await Deno.readTextFile(new URL("../README.md", import.meta.url));
  assert.equal(await withTables(readme), readme);
  for (const { name } of variables()) assert.ok(readme.includes(`| \`${name}\``), name);
  for (const { manifest } of catalogue) {
    assert.ok(readme.includes(`](connectors/${manifest.id}/README.md)`), manifest.id);
  }
});

Deno.test("the table of metrics in docs/operating.md is the present one: else run `deno task docs`", async () => {
  const operating = await Deno.readTextFile(new URL("../docs/operating.md", import.meta.url));
  assert.equal(await withTables(operating), operating);
  for (const name of Object.keys(DEFINITIONS)) assert.ok(operating.includes(`| \`${name}\``), name);
});

Deno.test("the tables have a row for each variable, each source and each metric", async () => {
  assert.equal(configurationTable().split("\n").length, variables().length + 2);
  assert.equal(metricsTable().split("\n").length, Object.keys(DEFINITIONS).length + 2);
  assert.equal((await sourcesTable()).split("\n").length, catalogue.length + 2);
});

Deno.test("@inlet/events has all sources: else run `deno task docs`", async () => {
  const present = await Deno.readTextFile(EVENT_SOURCES);
  assert.equal(await withSources(), present);
  for (const { manifest } of catalogue) {
    assert.ok(present.includes(`"@inlet/${manifest.id.replaceAll("_", "-")}-events"`), manifest.id);
  }
});
