import { interleave } from "../contender.ts";
import type { Scenario } from "../scenario.ts";
import { compareRates, CountError, underLoad } from "../subject.ts";

const STREAMS = 10;
/** How long the streams may take to hear the last of what was published. */
const HEARD_WITHIN_SECONDS = 60;
const OFF = { DEDUPE_WINDOW: "0", JOURNAL_RETENTION: "0", DELIVERY_RETENTION: "0" };

/** What all that Inlet does beside publishing costs. */
export const extras: Scenario = {
  name: "extras",
  does: `with dedupe, journal, delivery log and ${STREAMS} live streams, and without`,
  async run(bench) {
    const subject = await bench.published(`with dedupe, journal, delivery log and ${STREAMS} live streams`);
    const listener = bench.listener();
    await listener.listen(subject.inlet.streamUrl, STREAMS);
    let published = 0;
    const arrived = async () => {
      const count = await subject.arrived();
      published += count;
      const most = await listener.heard(published, HEARD_WITHIN_SECONDS);
      if (most !== published) throw new CountError(`Cannot count on streams: ${published} events, ${most} heard`);
      return count;
    };
    const ours = underLoad(bench, { ...subject, arrived });
    const without = underLoad(bench, await bench.published("with all of that off", { env: OFF }));
    await interleave([ours, without], bench.settings);
    return [compareRates(`confirmed, ${subject.name}`, ours, { to: without, reach: { least: 0.8 } })];
  },
};
