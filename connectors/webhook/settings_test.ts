import assert from "node:assert/strict";
import { z } from "zod";
import { fieldsOf } from "../../components/form/fields.ts";
import { webhook } from "./mod.ts";
import { presets } from "./presets.ts";
import { PRESET_NAMES, presetSchema, webhookConfig } from "./settings.ts";
import { SECRET } from "./testing.ts";

const faultsOf = (config: Record<string, unknown>) =>
  webhook.faultsOf({ config, secrets: { signingSecret: SECRET } }, true);

Deno.test("every preset says everything, fits the settings' own rules, and can be enabled with a secret alone", () => {
  assert.deepEqual(Object.keys(presets).sort(), [...PRESET_NAMES].sort());
  for (const preset of PRESET_NAMES) {
    assert.deepEqual(presetSchema.parse(presets[preset]), presets[preset]);
    const faults = faultsOf({ preset }).map(({ pointer }) => pointer);
    assert.deepEqual(faults, preset === "custom" ? ["/config/signatureHeader"] : [], preset);
  }
});

Deno.test("each setting of a preset can be set otherwise, and has the same rule and words there", () => {
  const { preset, eventTypes, ...own } = webhookConfig;
  assert.ok(preset && eventTypes);
  assert.deepEqual(Object.keys(own), Object.keys(presetSchema.shape));
  for (const [name, setting] of Object.entries(presetSchema.shape)) {
    const description = z.globalRegistry.get(setting)?.description;
    assert.ok(description);
    assert.equal(z.globalRegistry.get(webhookConfig[presetSchema.keyof().parse(name)])?.description, description);
  }
  assert.deepEqual(webhook.configSchema.parse({}), { preset: "custom" });
});

Deno.test("what a preset decides stands in two groups of the form, so that the preset stands out", () => {
  const fields = fieldsOf(z.toJSONSchema(webhook.configSchema, { io: "input" }));
  const groups = Map.groupBy(fields, ({ group }) => group);
  assert.deepEqual([...groups.keys()], [undefined, "How the sender signs", "Where a delivery says what"]);
  assert.deepEqual(groups.get(undefined)?.map(({ name }) => name), ["preset"]);
});

Deno.test("the dashboard has a field for each setting; only the types' own names are entered as JSON", () => {
  const kinds = fieldsOf(z.toJSONSchema(webhook.configSchema, { io: "input" })).map(({ name, kind }) => [name, kind]);
  assert.deepEqual(kinds.filter(([, kind]) => kind === "json"), [["eventTypes", "json"]]);
  assert.deepEqual(kinds.filter(([, kind]) => kind === "choice").map(([name]) => name), [
    "preset",
    "signatureList",
    "algorithm",
    "encoding",
    "secretEncoding",
    "timestampFormat",
    "actorType",
  ]);
  const [secret] = fieldsOf(z.toJSONSchema(webhook.secretsSchema, { io: "input" }));
  assert.ok(secret?.required && !secret.takesRandomText, "it is the sender's to give");
});

for (
  const [name, config] of [
    ["signatureHeader", { signatureHeader: "x signature" }],
    ["preset", { preset: "paypal" }],
    ["algorithm", { algorithm: "sha1" }],
    ["toleranceSeconds", { toleranceSeconds: 0 }],
    ["toleranceSeconds", { toleranceSeconds: 86_401 }],
    ["timestamp", { timestamp: "x-time" }],
    ["timestamp", { timestamp: "header:a header:b" }],
    ["eventType", { eventType: "type" }],
    ["subjectId", { subjectId: "/a~2" }],
    ["eventTypes/a", { eventTypes: { a: "Order.Paid" } }],
    ["eventTypes/a", { eventTypes: { a: "order" } }],
    ["eventTypes/a", { eventTypes: { a: "webhook.order.paid" } }],
    ["signatureHeaders", { signatureHeaders: "x" }],
  ] as const
) {
  Deno.test(`the setting ${JSON.stringify(config).slice(0, 60)} is refused where it stands`, () => {
    const [fault, ...others] = faultsOf({ signatureHeader: "x-signature", ...config });
    assert.equal(fault?.pointer, `/config/${name}`);
    assert.deepEqual(others, []);
  });
}
