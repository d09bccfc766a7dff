/**
 * Does harm to the real service and its broker under load, and counts whether anything accepted was lost: run by
 * `deno task chaos`. Ends with 1 if anything is not as promised.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { providePrivateNode } from "../tests/support/rabbitmq.ts";
import { Progress } from "./cli/progress.ts";
import type { RigOptions } from "./chaos/rig.ts";
import { type Outcome, runScenario } from "./chaos/run.ts";
import { mixed, type Scenario, scenarios } from "./chaos/scenarios.ts";
import { formatTable, LEGEND } from "./chaos/table.ts";
import { findNamed, listNames, positiveNumber, print, runCommand, UsageError } from "./cli/command.ts";

const HELP = `Does harm to the service and a RabbitMQ of its own under load, and counts what was lost.

  deno task chaos [scenario ...] [--seed N] [--minutes M] [--rate R] [--lanes L] [--queue quorum|classic]

Without a scenario: all of them, and then the mixed run.

  --seed N      of the mixed run: the same seed gives the same faults in the same order; default: by chance
  --minutes M   length of the mixed run; default 10
  --rate R      deliveries a second; default 200
  --lanes L     senders side by side; default 32
  --queue TYPE  what the events are consumed from; default classic, see docs/guarantees.md
  --deadline S  how long each step and the recovery may take, in seconds; default 180
  --pace P      shortens how long the faults last; default 1

Scenarios:`;

const progress = new Progress();

interface Wish {
  readonly chosen: readonly Scenario[];
  readonly options: RigOptions;
}

function help(): string {
  const all = [...scenarios, mixed({ seed: 1, minutes: 10, onStep: () => {} })];
  return [HELP, ...listNames(all)].join("\n");
}

function readWish(args: string[]): Wish {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seed: text,
      minutes: text,
      rate: text,
      lanes: text,
      pace: text,
      deadline: text,
      queue: { ...text, default: "classic" },
    },
  });
  const seed = positiveNumber("seed", values.seed, Math.floor(Math.random() * 1_000_000));
  const minutes = positiveNumber("minutes", values.minutes, 10);
  const mix = mixed({ seed, minutes, onStep: ({ fault }) => progress.show(`mixed: ${fault}`) });
  const all = [...scenarios, mix];
  if (values.queue !== "quorum" && values.queue !== "classic") {
    throw new UsageError(`a queue is quorum or classic, not ${values.queue}`);
  }
  const chosen = positionals.map((wanted) => findNamed("scenario", all, wanted));
  const options: RigOptions = {
    queueType: values.queue,
    lanes: positiveNumber("lanes", values.lanes, 32),
    workspaces: 4,
    perSecond: positiveNumber("rate", values.rate, 200),
    pace: positiveNumber("pace", values.pace, 1),
    deadlineMs: positiveNumber("deadline", values.deadline, 180) * 1000,
  };
  return { chosen: chosen.length > 0 ? chosen : all, options };
}

async function run({ chosen, options }: Wish): Promise<boolean> {
  const node = await providePrivateNode();
  const outcomes: Outcome[] = [];
  try {
    for (const [index, scenario] of chosen.entries()) {
      progress.show(`${index + 1} of ${chosen.length}, ${scenario.name}: ${scenario.does}`);
      outcomes.push(await runScenario(scenario, node, options));
    }
  } finally {
    progress.clear();
    await node.stop();
    if (outcomes.length > 0) print(`\n${formatTable(outcomes)}\n\n${LEGEND}`);
  }
  return outcomes.every(({ failures }) => failures.length === 0);
}

await runCommand({ task: "chaos", help }, async (args) => await run(readWish(args)) ? 0 : 1);
