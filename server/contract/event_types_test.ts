import assert from "node:assert/strict";
import { catalogue } from "../../connectors/catalogue.ts";
import { triggerFinder } from "./event_types.ts";

Deno.test("triggerFinder gives a type itself, or the pattern that stands for it", () => {
  const triggerOf = triggerFinder(catalogue);
  for (
    const [type, trigger] of [
      ["github.pr.opened", "github.pr.opened"],
      ["device.app.opened", "device.app.opened"],
      ["device.custom.door_opened", "device.custom.*"],
      ["webhook.invoice.paid", "webhook.*.*"],
      ["webhook.*.*", "webhook.*.*"],
      ["acme.thing.made", "acme.thing.made"],
    ] as const
  ) assert.equal(triggerOf(type), trigger);
});
