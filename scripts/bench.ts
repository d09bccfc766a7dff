/**
 * Measures the service beside what it is to be compared with, and writes `bench/results.md`: run by `deno task bench`.
 * Ends with 1 if a scenario could not be measured.
 *
 * @module
 */
import { parseArgs } from "node:util";
import type { BenchSettings } from "../bench/bench.ts";
import { describeCommit, describeMachine, describeOtherWork } from "../bench/machine.ts";
import { formatPage, formatTable } from "../bench/report.ts";
import { measureGenerator, type Outcome, runScenario } from "../bench/run.ts";
import type { Scenario } from "../bench/scenario.ts";
import { scenarios } from "../bench/scenarios.ts";
import { findNamed, listNames, positiveNumber, print, runCommand, UsageError } from "./cli/command.ts";
import { formatted } from "./formatted.ts";
import { providePrivateNode } from "../tests/support/rabbitmq.ts";

const HELP = `Measures the service in turns with what it is to be compared with, on a RabbitMQ of its own.

  deno task bench [scenario ...] [--rounds N] [--seconds S]

Without a scenario: all of them, which takes most of an hour. Then the results are written to bench/results.md.

  --rounds N      how often each contender is measured; default 3
  --seconds S     how long each time; default 5
  --warm-up N     deliveries to each contender before; default 10000
  --deliveries N  after which memory is looked at; default 1000000
  --spooled N     events in the spool that is drained; default 100000
  --rows N        rows in the large journal; default 1000000
  --out FILE      writes the results there, whatever the scenarios
  --checkout DIR  measures the service whose code is there

Scenarios:`;

const RESULTS = new URL("../bench/results.md", import.meta.url);

interface Wish {
  readonly chosen: readonly Scenario[];
  readonly settings: Omit<BenchSettings, "amqpUrl" | "say">;
  /** Where the results go; `undefined`: to the terminal only. */
  readonly out: string | URL | undefined;
}

function readWish(args: string[]): Wish {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rounds: text,
      seconds: text,
      "warm-up": text,
      deliveries: text,
      spooled: text,
      rows: text,
      out: text,
      checkout: text,
    },
  });
  const chosen = positionals.map((wanted) => findNamed("scenario", scenarios, wanted));
  const whole = (name: "rounds" | "warm-up" | "deliveries" | "spooled" | "rows", fallback: number) => {
    const number = positiveNumber(name, values[name], fallback);
    if (Number.isInteger(number)) return number;
    throw new UsageError(`--${name} ${values[name]} is no whole number`);
  };
  const settings = {
    rounds: whole("rounds", 3),
    seconds: positiveNumber("seconds", values.seconds, 5),
    warmUp: whole("warm-up", 10_000),
    deliveries: whole("deliveries", 1_000_000),
    spooled: whole("spooled", 100_000),
    rows: whole("rows", 1_000_000),
    checkout: values.checkout,
  };
  const out = values.out ?? (chosen.length === 0 ? RESULTS : undefined);
  return { chosen: chosen.length > 0 ? chosen : scenarios, settings, out };
}

async function run({ chosen, settings, out }: Wish): Promise<boolean> {
  const start = performance.now();
  const [commit, warning] = [await describeCommit(settings.checkout), describeOtherWork()];
  const say = Deno.stdout.isTerminal() ? print : () => {};
  const node = await providePrivateNode();
  const outcomes: Outcome[] = [];
  try {
    const all = { ...settings, amqpUrl: node.url, say };
    const generator = await measureGenerator(all);
    print(
      `The load generator alone: ${generator.perSecond.toFixed(0)}/s against a server that does nothing, ` +
        `${generator.cpuMicros.toFixed(0)} µs of CPU a delivery`,
    );
    for (const scenario of chosen) {
      say(`${scenario.name}: ${scenario.does}`);
      outcomes.push(await runScenario(scenario, all));
    }
    print(`\n${formatTable(outcomes)}`);
    const minutes = (performance.now() - start) / 60_000;
    const machine = await describeMachine(node.url);
    const facts = { at: new Date(), commit, machine, warning, ...settings, generator, minutes };
    if (out !== undefined) await Deno.writeTextFile(out, await formatted(formatPage(outcomes, facts), "md"));
  } finally {
    await node.stop();
  }
  return outcomes.every(({ failure }) => failure === undefined);
}

await runCommand(
  { task: "bench", help: () => [HELP, ...listNames(scenarios)].join("\n") },
  async (args) => await run(readWish(args)) ? 0 : 1,
);
