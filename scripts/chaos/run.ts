import type { PrivateNode } from "../../tests/support/rabbitmq.ts";
import type { Balance } from "./ledger.ts";
import { Rig, type RigOptions, StalledError } from "./rig.ts";
import type { Scenario } from "./scenarios.ts";
import { mountSmallDisk, NoSmallDiskError } from "./small_disk.ts";

/** How a scenario went. */
export interface Outcome {
  readonly name: string;
  /** Why it was not run. */
  readonly skipped?: string;
  /** What is not as promised; empty: all is. */
  readonly failures: readonly string[];
  readonly balance?: Balance;
  /** How often which status came; 0: no answer. */
  readonly statuses?: ReadonlyMap<number, number>;
  /** How long each lane waited for a success when the fault was over, in milliseconds. */
  readonly firstSuccessMs?: readonly number[];
  /** How long the service took to empty the spool when the fault was over, in milliseconds. */
  readonly caughtUpMs?: number;
}

const DISK_MEGABYTES = 32;
const SHIFTED_CLOCK = new URL("shifted_clock.ts", import.meta.url).href;
/** How many names of deliveries a failure shows. */
const SHOWN = 5;

/** Runs a scenario on a broker, which works again afterwards. */
export async function runScenario(scenario: Scenario, node: PrivateNode, options: RigOptions): Promise<Outcome> {
  try {
    await using place = scenario.smallDisk ? await mountSmallDisk(DISK_MEGABYTES) : await temporaryFolder();
    return await runIn(place.folder, scenario, node, options);
  } catch (error) {
    if (error instanceof NoSmallDiskError) return { name: scenario.name, skipped: error.message, failures: [] };
    throw error;
  }
}

async function runIn(
  folder: string,
  scenario: Scenario,
  node: PrivateNode,
  options: RigOptions,
): Promise<Outcome> {
  await using rig = await Rig.build({ node, folder, preload: SHIFTED_CLOCK }, options);
  const failures: string[] = [];
  let firstSuccess: ReadonlyMap<number, number> = new Map();
  let caughtUpMs: number | undefined;
  try {
    // The fault hits a service that is at work.
    await rig.answered(200, options.lanes);
    await scenario.harm(rig);
    const over = performance.now();
    firstSuccess = rig.load.noteSuccesses();
    await rig.until("every sender has success", () => firstSuccess.size === options.lanes);
    await rig.drained();
    caughtUpMs = performance.now() - over;
    await rig.answered(200, options.lanes);
    await rig.load.stop();
    await rig.settled();
    await rig.drained();
  } catch (error) {
    if (!(error instanceof StalledError)) throw error;
    failures.push(error.message);
    await mend(rig);
    const waiting = await rig.consumer.waiting();
    if (waiting > 0) failures.push(`${waiting} messages wait in the queue: its consumer hangs`);
  }
  await rig.load.stop();
  const balance = rig.ledger.balance();
  failures.push(...faultsOf(scenario, rig, balance));
  const { unrouted = 0 } = await rig.service.readiness() ?? {};
  if (unrouted > 0) failures.push(`the broker confirmed ${unrouted} events that it had no queue for`);
  for (const workspaceId of rig.workspaceIds) {
    const letters = await rig.service.deadLetters(workspaceId).catch(() => 0);
    if (letters > 0) failures.push(`${letters} events became dead letters`);
  }
  return {
    name: scenario.name,
    failures,
    balance,
    statuses: rig.load.statuses,
    firstSuccessMs: [...firstSuccess.values()],
    ...caughtUpMs !== undefined && { caughtUpMs },
  };
}

function faultsOf(scenario: Scenario, { load, service }: Rig, { lost, misplaced, doubled }: Balance): string[] {
  const faults: string[] = [];
  if (lost.length > 0) faults.push(`${lost.length} accepted and never received: ${some(lost)}`);
  if (misplaced.length > 0) faults.push(`${misplaced.length} out of order: ${some(misplaced)}`);
  if (doubled.length > 0) faults.push(`${doubled.length} came under more than one id: ${some(doubled)}`);
  if (service.fell !== undefined) faults.push(`the service ended by itself, ${service.fell}`);
  for (const status of scenario.sees) {
    if (!load.statuses.has(status)) faults.push(`no answer was ${status}`);
  }
  const usual = [0, 200, 202, ...scenario.mayRefuse ? [503] : []];
  for (const [status, count] of load.statuses) {
    if (!usual.includes(status)) faults.push(`${count} answers were ${status}`);
  }
  return faults;
}

function some(names: readonly string[]): string {
  return names.slice(0, SHOWN).join(", ") + (names.length > SHOWN ? ", …" : "");
}

/** Leaves the next scenario a broker and a proxy that work, wherever this one stopped. */
async function mend(rig: Rig): Promise<void> {
  rig.load.resume();
  rig.proxy.resume();
  await rig.node.restart();
  await rig.node.ctl("clear_policy", "full").catch(() => {});
}

async function temporaryFolder(): Promise<{ folder: string } & AsyncDisposable> {
  const folder = await Deno.makeTempDir({ prefix: "inlet-chaos-" });
  return { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}
