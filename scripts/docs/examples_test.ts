import { normalizedEventSchema, payloadSchemaOf } from "@inlet/events-core";
import { payloadSchemas } from "@inlet/events";
import assert from "node:assert/strict";
import { z } from "zod";
import { catalogue } from "../../connectors/catalogue.ts";
import { readEventExample } from "../../connectors/examples.ts";
import { createEventCatalogue } from "../../server/contract/event_catalogue.ts";
import { EXAMPLE_EVENTS, withExamples } from "./examples.ts";

const HERE = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";

Deno.test("the committed examples are the present ones: else run `deno task docs`", async () => {
  assert.equal(await Deno.readTextFile(EXAMPLE_EVENTS), await withExamples());
});

Deno.test("every example that the catalogue shows is an event whose payload is just what its type promises", async () => {
  const publishing = { exchange: "inlet.events", routingKey: "{type}", messageFormat: "normalized" } as const;
  const events = createEventCatalogue({ connectors: catalogue, publishing, hasBroker: true, readEventExample });
  const shown = z.record(z.string(), z.unknown()).parse(JSON.parse(await Deno.readTextFile(EXAMPLE_EVENTS)));
  for (const trigger of Object.keys(shown)) {
    const event = normalizedEventSchema.parse(await events.example(trigger, HERE));
    assert.equal(events.find(event.type)?.trigger, trigger);
    const schema = payloadSchemaOf(payloadSchemas, event.type) ?? assert.fail(trigger);
    assert.deepEqual(schema.parse(event.payload), event.payload, trigger);
  }
  assert.ok(Object.keys(shown).length >= 250, "there are as many as there should be");
  assert.equal(await events.example("github.pr.unheard_of", HERE), undefined);
  assert.equal(await events.example("constructor", HERE), undefined);
});
