import assert from "node:assert/strict";
import { catalogue } from "../connectors/catalogue.ts";
import { variables } from "../server/config.ts";
import { EVENT_SOURCES } from "./docs/events.ts";
import { DEFINITIONS } from "../server/telemetry/definitions.ts";
import {
  configurationTable,
  DOCUMENTS,
  metricsTable,
  sourcesInDetail,
  sourcesTable,
  withSources,
  withTables,
} from "./docs.ts";

Deno.test("the documents' tables are the present ones: else run `deno task docs`", async () => {
  for (const document of DOCUMENTS) {
    const text = await Deno.readTextFile(new URL(`../${document}`, import.meta.url));
    assert.equal(await withTables(text), text, document);
  }
});

Deno.test("the tables have a row for each variable, each source and each metric, and stand in the documents", async () => {
  const read = (document: string) => Deno.readTextFile(new URL(`../${document}`, import.meta.url));
  assert.equal(configurationTable().split("\n").length, variables().length + 2);
  assert.equal(metricsTable().split("\n").length, Object.keys(DEFINITIONS).length + 2);
  assert.equal(sourcesTable().split("\n").length, catalogue.length + 2);
  assert.equal((await sourcesInDetail()).split("\n").length, catalogue.length + 2);
  const [readme, configuration, sources] = [
    await read("README.md"),
    await read("docs/configuration.md"),
    await read("docs/sources.md"),
  ];
  for (const { name } of variables()) assert.ok(configuration.includes(`| \`${name}\``), name);
  const operating = await read("docs/operating.md");
  for (const name of Object.keys(DEFINITIONS)) assert.ok(operating.includes(`| \`${name}\``), name);
  for (const { manifest } of catalogue) {
    assert.ok(readme.includes(`](connectors/${manifest.id}/README.md)`), manifest.id);
    assert.ok(sources.includes(`](../connectors/${manifest.id}/README.md)`), manifest.id);
  }
});

Deno.test("@inlet/events has all sources: else run `deno task docs`", async () => {
  const present = await Deno.readTextFile(EVENT_SOURCES);
  assert.equal(await withSources(), present);
  for (const { manifest } of catalogue) {
    assert.ok(present.includes(`"@inlet/${manifest.id.replaceAll("_", "-")}-events"`), manifest.id);
  }
});
