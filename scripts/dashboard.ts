/**
 * Builds the dashboard's scripts and styles: `deno task build`, before each start (`--if-stale`), and in `deno task dev`
 * (`--dev`).
 *
 * @module
 */
import { parseArgs } from "node:util";
import { tailwind } from "@fresh/plugin-tailwind";
import { Builder } from "fresh/dev";
import { build } from "../fresh.config.ts";
import { runCommand } from "./cli/command.ts";

const HELP = `Builds the dashboard's scripts and styles into _fresh/. Starting the service does so where it is needed.

  deno task build [--if-stale]

  --if-stale  only if a source is newer than the build`;

const builder = new Builder(build);
tailwind(builder);

if (Deno.args.includes("--dev")) await builder.listen(() => import("../start.ts"));
else {
  await runCommand({ task: "build", help: HELP }, async (args) => {
    const { values } = parseArgs({ args, options: { "if-stale": { type: "boolean" } } });
    if (!values["if-stale"] || await builder.isStale()) await builder.build();
  });
}
