/**
 * Builds the dashboard's scripts and styles: `deno task build`, `deno task dev` (`--dev`), and before each start
 * (`--if-stale`).
 *
 * @module
 */
import { tailwind } from "@fresh/plugin-tailwind";
import { Builder } from "fresh/dev";
import { build } from "../fresh.config.ts";

const builder = new Builder(build);
tailwind(builder);

if (Deno.args.includes("--dev")) await builder.listen(() => import("../start.ts"));
else if (!Deno.args.includes("--if-stale") || await builder.isStale()) await builder.build();
