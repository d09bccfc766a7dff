import { LANE_EVENT_TYPE } from "../../tests/support/lanes.ts";
import type { Rig } from "./rig.ts";

/** Does harm to a rig, and has mended it when it resolves. */
export type Fault = (rig: Rig) => Promise<void>;

/** How many deliveries are to be spooled before a scenario goes on. */
const SOME = 50;
const MANY = 400;

/** What `rabbitmqctl eval` runs: each channel that publishes is told that its client did what AMQP forbids (406). */
const CLOSE_CHANNELS = "[rabbit_channel:do(Channel, {'basic.ack', 999999, false}) || " +
  "Channel <- rabbit_channel:list(), [{confirm, true}] =:= rabbit_channel:info(Channel, [confirm])].";

/** Kills the broker, and starts it again when deliveries were spooled. */
export async function killBroker(rig: Rig): Promise<void> {
  await rig.node.kill();
  await rig.answered(202, SOME);
  await rig.wait(2000);
  await rig.node.restart();
}

/** Stops the broker in good order for half a minute. */
export async function stopBroker(rig: Rig): Promise<void> {
  await rig.node.ctl("stop_app");
  await rig.wait(30_000);
  await rig.answered(202, SOME);
  await rig.node.ctl("start_app");
}

/** Lets nothing through that the broker says: it takes messages, and no confirm arrives. */
export async function silenceBroker(rig: Rig): Promise<void> {
  rig.proxy.stall();
  await rig.answered(202, 1);
  await rig.wait(10_000);
  rig.proxy.resume();
}

/** Raises a memory alarm, under which the broker takes no messages. */
export async function blockBroker(rig: Rig): Promise<void> {
  await rig.node.ctl("set_vm_memory_high_watermark", "0");
  await rig.answered(202, SOME);
  await rig.wait(10_000);
  await rig.node.ctl("set_vm_memory_high_watermark", "0.4");
}

/** Cuts the connection between service and broker, some times over. */
export async function cutConnection(rig: Rig): Promise<void> {
  await untilFelt(rig, 5, async () => {
    rig.proxy.cut();
    await rig.wait(1500);
  });
}

/** Has the broker close the channel with what is under way on it. */
export async function closeChannel(rig: Rig): Promise<void> {
  await untilFelt(rig, 3, async () => {
    await rig.node.ctl("eval", CLOSE_CHANNELS);
    await rig.wait(2000);
  });
}

/** Lets the queue fill up that everything goes to, so that it refuses what is published. */
export async function fillQueue(rig: Rig): Promise<void> {
  await rig.consumer.close();
  // The limit comes second: a queue that is limited before it is told to refuse drops what it holds.
  for (const policy of [{ overflow: "reject-publish" }, { overflow: "reject-publish", "max-length": 1 }]) {
    const args = ["--apply-to", "queues", "full", `^${rig.consumer.queue}$`, JSON.stringify(policy)];
    await rig.node.ctl("set_policy", ...args);
  }
  await rig.answered(202, SOME);
  await rig.wait(10_000);
  await rig.node.ctl("clear_policy", "full");
  await rig.consumer.open();
}

/** Kills the service while nothing is under way. */
export async function killServiceIdle(rig: Rig): Promise<void> {
  rig.load.hold();
  await rig.until("nothing is under way", () => rig.ledger.open === 0);
  await rig.drained();
  await rig.settled();
  await rig.service.kill();
  await rig.service.start();
  rig.load.resume();
}

/** Kills the service while it waits for confirms of what the broker has already. */
export async function killServiceMidPublish(rig: Rig): Promise<void> {
  await rig.drained();
  rig.proxy.stall();
  await rig.until("publishes wait for their confirm", () => rig.ledger.open >= rig.options.lanes / 2);
  await rig.service.kill();
  rig.proxy.resume();
  await rig.service.start();
}

/** Kills the service while it spools, twice, and mends the broker then. */
export async function killServiceMidSpool(rig: Rig): Promise<void> {
  await rig.node.kill();
  for (let kills = 0; kills < 2; kills++) {
    await rig.answered(202, SOME);
    await rig.service.kill();
    await rig.service.start();
  }
  await rig.answered(202, SOME);
  await rig.node.restart();
}

/** Kills the service while it empties the spool: what it has published is not deleted yet, and not confirmed either. */
export async function killServiceMidDrain(rig: Rig): Promise<void> {
  await rig.node.kill();
  await rig.answered(202, MANY);
  await rig.node.restart();
  await rig.received(1);
  rig.proxy.stall();
  await rig.service.kill();
  rig.proxy.resume();
  await rig.service.start();
}

/** Cuts the connection over the first event that is published out of the spool: nothing of what is under way gets through. */
export async function cutConnectionMidDrain(rig: Rig): Promise<void> {
  await rig.node.kill();
  await rig.answered(202, MANY);
  let isCut = false;
  rig.proxy.when(LANE_EVENT_TYPE, () => {
    rig.proxy.cut();
    isCut = true;
  });
  await rig.node.restart();
  await rig.until("an event of the spool is published", () => isCut);
}

/** Kills broker and service at the same moment, and starts the service first. */
export async function killBoth(rig: Rig): Promise<void> {
  await Promise.all([rig.node.kill(), rig.service.kill()]);
  await rig.service.start();
  await rig.answered(202, SOME);
  await rig.node.restart();
}

/**
 * Sets the clock an hour ahead, then an hour behind while the spool holds events, and right again; then ahead once more
 * for a process that is killed while it empties the spool, so that the next one finds what it wrote of times to come.
 */
export async function jumpClock(rig: Rig): Promise<void> {
  rig.service.jump();
  await rig.wait(3000);
  await rig.node.kill();
  await rig.answered(202, SOME);
  rig.service.jump();
  await rig.answered(202, SOME);
  await rig.node.restart();
  await rig.drained();
  rig.service.jump();
  await rig.wait(3000);
  rig.service.jump();
  await killServiceMidDrain(rig);
}

/** Leaves no room on the store's disk while the broker is away, and makes some again. */
export async function fillDisk(rig: Rig): Promise<void> {
  await rig.node.kill();
  await rig.answered(202, SOME);
  const filler = `${rig.service.folder}/filler`;
  const refused = () => rig.load.statuses.get(503) ?? 0;
  const enough = refused() + SOME;
  await rig.until("503 where nothing can be stored", async () => {
    // What the store frees is taken as well.
    await fillUp(filler);
    return refused() >= enough;
  });
  await Deno.remove(filler);
  await rig.answered(202, SOME);
  await rig.node.restart();
}

/** Does something so many times, and then until deliveries were spooled for it: what nobody notices is no fault. */
async function untilFelt(rig: Rig, times: number, harm: () => Promise<void>): Promise<void> {
  const spooled = () => rig.load.statuses.get(202) ?? 0;
  const before = spooled();
  let done = 0;
  await rig.until("deliveries are spooled", async () => {
    await harm();
    return ++done >= times && spooled() > before;
  });
}

async function fillUp(path: string): Promise<void> {
  using file = await Deno.open(path, { create: true, append: true });
  for (const size of [64 * 1024, 512]) {
    const block = new Uint8Array(size);
    try {
      for (;;) await file.write(block);
    } catch {
      // The disk is full.
    }
  }
}
