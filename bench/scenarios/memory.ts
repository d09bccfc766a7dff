import type { Finding } from "../figures.ts";
import type { Scenario } from "../scenario.ts";
import { measure } from "../subject.ts";

const STREAMS = 1000;
/** Deliveries after which the queue is emptied: the broker is not to run out of memory. */
const SLICE = 20_000;
const SLICE_SECONDS = 600;
const MIB = 1024 * 1024;
/** How often memory is looked at along the way. */
const LOOKS = 5;

/** What the process holds in memory, and whether it stops growing. */
export const memory: Scenario = {
  name: "memory",
  does: "memory: idle, at full load, after many deliveries, with 1,000 streams",
  async run(bench) {
    const { settings: { deliveries, say }, generator } = bench;
    const subject = await bench.published("Inlet", { env: { MAX_STREAMS: String(STREAMS) } });
    const { inlet } = subject;
    const mib = async () => await inlet.process.memoryBytes() / MIB;
    const idle = await mib();
    const samples: number[] = [];
    const slices = Math.ceil(deliveries / SLICE);
    for (let slice = 1; slice <= slices; slice++) {
      const most = Math.min(SLICE, deliveries - (slice - 1) * SLICE);
      await measure(generator, subject, { seconds: SLICE_SECONDS, most });
      samples.push(await mib());
      if (slice % Math.ceil(slices / LOOKS) === 0) {
        say(`  after ${slice * SLICE} deliveries: ${samples.at(-1)?.toFixed(0)} MiB`);
      }
    }
    const listener = bench.listener();
    await listener.listen(inlet.streamUrl, STREAMS);
    const against = { what: "idle, at the start", samples: [idle] };
    const finding = (what: string, value: number, note?: string): Finding => ({
      what: `memory ${what}`,
      unit: "MiB",
      samples: [value],
      against,
      ...note && { note },
    });
    return [
      finding(`at full load, after the first ${Math.min(SLICE, deliveries)} deliveries`, samples[0] ?? NaN),
      finding("at full load, at most", Math.max(...samples), `along the way: ${along(samples)}`),
      finding(`after ${deliveries} deliveries`, samples.at(-1) ?? NaN),
      finding(`with ${STREAMS} live streams open after that`, await mib()),
    ];
  },
};

function along(samples: readonly number[]): string {
  const step = Math.ceil(samples.length / LOOKS);
  return samples.filter((_, index) => (index + 1) % step === 0).map((mib) => mib.toFixed(0)).join(", ");
}
