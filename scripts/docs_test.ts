import assert from "node:assert/strict";
import { variables } from "../server/config.ts";
import { configurationTable, withConfigurationTable } from "./docs.ts";

Deno.test("the README's configuration table is the present one: else run `deno task docs`", async () => {
  const readme = await Deno.readTextFile(new URL("../README.md", import.meta.url));
  assert.equal(await withConfigurationTable(readme), readme);
  for (const { name } of variables()) assert.ok(readme.includes(`| \`${name}\``), name);
});

Deno.test("the configuration table has a row for each variable", () => {
  assert.equal(configurationTable().split("\n").length, variables().length + 2);
});
