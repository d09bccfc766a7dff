import { alignColumns } from "../scripts/columns.ts";
import { type Finding, isMet, median, ratioOf, type Reach, type Unit } from "./figures.ts";
import type { GeneratorFigures, Outcome } from "./run.ts";

const HEAD = ["what", "figure", "compared with", "its figure", "ratio", "reach", "met"] as const;
const TEXTS: readonly string[] = ["what", "compared with", "reach", "met"];

/** What a run was, beside what came of it. */
export interface RunFacts {
  /** When it ended. */
  readonly at: Date;
  readonly commit: string;
  readonly machine: readonly string[];
  /** Why the figures are worth little; `undefined` if they are not. */
  readonly warning: string | undefined;
  readonly rounds: number;
  readonly seconds: number;
  readonly generator: GeneratorFigures;
  /** How long all of it took. */
  readonly minutes: number;
}

/** Draws the findings as a table for a terminal, with what failed below it. */
export function formatTable(outcomes: readonly Outcome[]): string {
  const rows = [[...HEAD], ...outcomes.flatMap(({ findings }) => findings.map(cellsOf))];
  const lines = alignColumns(rows, (column) => TEXTS.includes(HEAD[column] ?? ""));
  return [...lines, ...notesOf(outcomes), ...failuresOf(outcomes)].join("\n");
}

/** The results as a page of Markdown. */
export function formatPage(outcomes: readonly Outcome[], facts: RunFacts): string {
  const { at, commit, machine, warning, rounds, seconds, generator, minutes } = facts;
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const findings = outcomes.flatMap(({ findings }) => findings);
  return [
    "# Results of `deno task bench`",
    "",
    `Written by the run that ended on ${at.toISOString().slice(0, 16).replace("T", " at ")} UTC, after ` +
    `${minutes.toFixed(0)} minutes, at commit ${commit}: ${rounds} ${
      rounds === 1 ? "round" : "rounds"
    } of ${seconds} s each.`,
    "",
    ...warning === undefined ? [] : [`**Careful: ${warning}.**`, ""],
    ...machine.map((fact) => `- ${fact}`),
    `- The load generator alone: ${count(generator.perSecond)}/s against a server that does nothing, ` +
    `${generator.cpuMicros.toFixed(0)} µs of CPU a delivery`,
    "",
    "Load generator, servers and broker share this machine: ratios say more than figures. A figure is the median of its",
    "rounds, with the least and the most of them; a ratio is the median of the rounds' ratios.",
    "",
    line(HEAD),
    line(HEAD.map(() => "---")),
    ...findings.map((finding) => line(cellsOf(finding))),
    "",
    ...notesOf(outcomes).map((note) => `- ${note}`),
    ...failuresOf(outcomes).map((failure) => `- Failed: ${failure}`),
    "",
  ].join("\n");
}

function cellsOf(finding: Finding): string[] {
  const { what, unit, samples, against, reach } = finding;
  const met = isMet(finding);
  return [
    what,
    withSpread(samples, unit),
    against?.what ?? "",
    against ? withSpread(against.samples, unit) : "",
    ratioOf(finding)?.toFixed(2) ?? "",
    reach ? inWords(reach) : "",
    met === undefined ? "" : met ? "yes" : "no",
  ];
}

function inWords(reach: Reach): string {
  return "least" in reach ? `≥ ${reach.least}` : `≤ ${reach.most}`;
}

function withSpread(samples: readonly number[], unit: Unit): string {
  const write = unit === "ms" ? (value: number) => value.toFixed(1) : count;
  const figure = `${write(median(samples))}${unit === "/s" ? unit : ` ${unit}`}`;
  return samples.length < 2 ? figure : `${figure} (${write(Math.min(...samples))}–${write(Math.max(...samples))})`;
}

/** A number as people read it: `12,345`. */
function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function notesOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.flatMap(({ findings }) => findings).flatMap(({ what, against, note }) =>
    note ? [`${what}${against ? `, beside ${against.what}` : ""}: ${note}`] : []
  );
}

function failuresOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.flatMap(({ name, failure }) => failure === undefined ? [] : [`${name}: ${failure}`]);
}
