/** A short `deno task chaos`: the scenarios that need nothing special of the machine, and proof that a loss is seen. */
import assert from "node:assert/strict";
import type { RigOptions } from "../scripts/chaos/rig.ts";
import { runScenario } from "../scripts/chaos/run.ts";
import { type Scenario, scenarios } from "../scripts/chaos/scenarios.ts";
import { formatTable } from "../scripts/chaos/table.ts";
import { providePrivateNode } from "./support/rabbitmq.ts";

const CHOSEN = [
  "process-killed-mid-publish",
  "process-killed-mid-drain",
  "connection-cut-mid-drain",
  "both-killed",
  "connection-cut",
  "clock-jump",
];

const OPTIONS: RigOptions = {
  // A quorum queue of RabbitMQ 3.10 that is killed when it is young can stay without a leader for ever.
  queueType: "classic",
  lanes: 16,
  workspaces: 4,
  perSecond: 150,
  pace: 0.1,
  deadlineMs: 300_000,
};

/** What is lost is not waited for as long. */
const lossyOptions = { ...OPTIONS };

/** A broker that loses what it has confirmed. */
const lossy: Scenario = {
  name: "queue-purged",
  does: "the queue is purged",
  sees: [200],
  async harm(rig) {
    await rig.consumer.close();
    await rig.answered(200, 20);
    await rig.node.ctl("purge_queue", rig.consumer.queue);
    await rig.consumer.open();
    lossyOptions.deadlineMs = 5000;
  },
};

Deno.test("whatever is killed, and when: nothing that was accepted is lost, and the order of each workspace holds", async () => {
  const node = await providePrivateNode();
  try {
    for (const scenario of scenarios.filter(({ name }) => CHOSEN.includes(name))) {
      const outcome = await runScenario(scenario, node, OPTIONS);
      assert.equal(outcome.skipped, undefined);
      assert.deepEqual(outcome.failures, [], formatTable([outcome]));
      assert.ok((outcome.balance?.accepted ?? 0) > 0);
    }
  } finally {
    await node.stop();
  }
});

Deno.test("a loss is seen, and told with the names of what was lost", async () => {
  const node = await providePrivateNode();
  try {
    const { failures, balance } = await runScenario(lossy, node, lossyOptions);
    assert.ok(balance && balance.lost.length >= 20);
    assert.ok(
      failures.some((failure) => /^\d+ accepted and never received: \d+\/\d+, /.test(failure)),
      String(failures),
    );
  } finally {
    await node.stop();
  }
});
