import assert from "node:assert/strict";
import { sample, SAMPLE_SECRET } from "../../tests/support/sample.ts";
import { createSealer } from "../crypto/seal.ts";
import { tokens } from "../crypto/token.ts";
import type { ConnectorConfig } from "../deps.ts";
import { connectorConfigStore } from "../store/connector_configs.ts";
import { workspaceStore } from "../store/workspaces.ts";
import { Receivers } from "./receivers.ts";

const CONFIG: ConnectorConfig = {
  workspaceId: "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11",
  connectorId: "sample",
  enabled: true,
  config: {},
  secrets: { signingSecret: SAMPLE_SECRET },
  webhookToken: "token",
  retiring: null,
  retiringToken: null,
};
const sealer = await createSealer(new Uint8Array(32));

function openReceivers(kv: Deno.Kv, now: () => Date = () => new Date(0)) {
  const store = connectorConfigStore(kv, sealer);
  return { store, receivers: new Receivers(store, new Map([["sample", sample]]), tokens, now) };
}

Deno.test("Receivers finds what another process saved after a refresh", async () => {
  using kv = await Deno.openKv(":memory:");
  const { store, receivers } = openReceivers(kv);
  await receivers.refresh();
  assert.equal(receivers.find("sample", "token"), undefined);
  const saved = await store.save(CONFIG, null);
  assert.equal(receivers.find("sample", "token"), undefined);
  await receivers.refresh();
  assert.equal(receivers.find("sample", "token")?.workspaceId, CONFIG.workspaceId);
  await store.save({ ...CONFIG, enabled: false }, saved?.version ?? null);
  await receivers.refresh();
  assert.equal(receivers.find("sample", "token"), undefined);
});

Deno.test("Receivers finds a token under its own connector only, and forgets a replaced one", async () => {
  using kv = await Deno.openKv(":memory:");
  const { receivers } = openReceivers(kv);
  receivers.apply({ value: CONFIG, version: "1" });
  assert.ok(receivers.find("sample", "token"));
  assert.equal(receivers.find("other", "token"), undefined);
  receivers.apply({ value: { ...CONFIG, webhookToken: "new" }, version: "2" });
  assert.equal(receivers.find("sample", "token"), undefined);
  assert.ok(receivers.find("sample", "new"));
});

Deno.test("Receivers ignores an older version that arrives late", async () => {
  using kv = await Deno.openKv(":memory:");
  const { receivers } = openReceivers(kv);
  receivers.apply({ value: { ...CONFIG, enabled: false }, version: "2" });
  receivers.apply({ value: CONFIG, version: "1" });
  assert.equal(receivers.find("sample", "token"), undefined);
});

Deno.test("Receivers leaves out a config that does not fit the connector any more, and keeps the others", async () => {
  using kv = await Deno.openKv(":memory:");
  const { receivers } = openReceivers(kv);
  receivers.apply({ value: { ...CONFIG, config: { gone: 1 } }, version: "1" });
  const other = { ...CONFIG, workspaceId: "9f14e45f-ceea-467f-a8b8-1d2f6e0b9c11", webhookToken: "other" };
  receivers.apply({ value: other, version: "1" });
  assert.equal(receivers.find("sample", "token"), undefined);
  assert.ok(receivers.find("sample", "other"));
});

Deno.test("Receivers finds a replaced token until its time is over, and the new one all along", async () => {
  using kv = await Deno.openKv(":memory:");
  let now = new Date("2026-01-01T23:59:59.999Z");
  const until = new Date("2026-01-02T00:00:00.000Z");
  const { receivers } = openReceivers(kv, () => now);
  const renewed = { ...CONFIG, webhookToken: "new", retiringToken: { token: "token", until } };
  receivers.apply({ value: renewed, version: "1" });
  assert.equal(receivers.find("sample", "token"), receivers.find("sample", "new"));
  assert.equal(receivers.find("other", "token"), undefined);
  assert.ok(receivers.of(CONFIG.workspaceId, "sample"));
  now = until;
  assert.equal(receivers.find("sample", "token"), undefined);
  assert.ok(receivers.find("sample", "new"));
  now = new Date(0);
  assert.equal(receivers.find("sample", "token"), undefined, "what is over is forgotten");
});

for (
  const [what, end] of [
    [
      "its connector is turned off",
      (receivers: Receivers, value: ConnectorConfig) =>
        receivers.apply({ value: { ...value, enabled: false }, version: "2" }),
    ],
    [
      "its overlap is ended",
      (receivers: Receivers, value: ConnectorConfig) =>
        receivers.apply({ value: { ...value, retiringToken: null }, version: "2" }),
    ],
    ["its workspace is removed", (receivers: Receivers) => receivers.drop(CONFIG.workspaceId)],
  ] as const
) {
  Deno.test(`Receivers forgets a replaced token when ${what}`, async () => {
    using kv = await Deno.openKv(":memory:");
    const { receivers } = openReceivers(kv);
    const renewed = { ...CONFIG, webhookToken: "new", retiringToken: { token: "token", until: new Date(1) } };
    receivers.apply({ value: renewed, version: "1" });
    assert.ok(receivers.find("sample", "token"));
    end(receivers, renewed);
    assert.equal(receivers.find("sample", "token"), undefined);
  });
}

Deno.test("Receivers forgets a removed workspace though it looked just before its settings were gone", async () => {
  using kv = await Deno.openKv(":memory:");
  const { store, receivers } = openReceivers(kv);
  const workspaces = workspaceStore(kv, () => new Date());
  await workspaces.create({ id: CONFIG.workspaceId, name: "A workspace", createdAt: new Date(0) });
  await store.save(CONFIG, null);
  await receivers.refresh();
  await workspaces.remove(CONFIG.workspaceId, async () => {
    receivers.drop(CONFIG.workspaceId);
    await receivers.refresh();
  });
  await receivers.refresh();
  assert.equal(receivers.find("sample", "token"), undefined);
});
