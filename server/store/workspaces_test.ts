import assert from "node:assert/strict";
import { createSealer } from "../crypto/seal.ts";
import { connectorConfigStore } from "./connector_configs.ts";
import { keys } from "./keys.ts";
import { workspaceStore } from "./workspaces.ts";

const HERE = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const ONE = { id: HERE, name: "One", createdAt: new Date(0) };
const MINUTES_MS = 60_000;

const keysIn = async (kv: Deno.Kv) => await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key);

Deno.test("what is written into a workspace while and after it is removed goes as well", async () => {
  using kv = await Deno.openKv(":memory:");
  let now = new Date("2026-01-02T03:04:05Z");
  const workspaces = workspaceStore(kv, () => now);
  await workspaces.create(ONE);
  await workspaces.remove(HERE, () => Promise.resolve());
  for (const minutes of [0, 2]) {
    now = new Date(now.getTime() + minutes * MINUTES_MS);
    await kv.set(keys.outcome(HERE, "sample"), "told late");
    await workspaces.finishRemovals();
    assert.equal((await kv.get(keys.outcome(HERE, "sample"))).value, null);
  }
  assert.deepEqual(await keysIn(kv), [keys.connectorConfigsRevision()]);
});

Deno.test("a removal that was cut off is completed, also one that an older program began", async () => {
  using kv = await Deno.openKv(":memory:");
  let now = new Date("2026-01-02T03:04:05Z");
  const workspaces = workspaceStore(kv, () => now);
  await workspaces.create(ONE);
  await kv.set(keys.outcome(HERE, "sample"), "told before");
  await assert.rejects(workspaces.remove(HERE, () => Promise.reject(new Error("killed"))), /killed/);
  const older = crypto.randomUUID();
  await kv.set(keys.workspaceRemoval(older), older);
  await kv.set(keys.outcome(older, "sample"), "told before");
  now = new Date(now.getTime() + 2 * MINUTES_MS);
  await workspaces.finishRemovals();
  assert.deepEqual(await keysIn(kv), [keys.connectorConfigsRevision()]);
});

Deno.test("a workspace is removed whole though one of its records cannot be read", async () => {
  using kv = await Deno.openKv(":memory:");
  const workspaces = workspaceStore(kv, () => new Date());
  await workspaces.create(ONE);
  await kv.set(keys.apiKey(HERE, crypto.randomUUID()), new TextEncoder().encode("{"));
  await workspaces.remove(HERE, () => Promise.resolve());
  assert.deepEqual(await keysIn(kv), [keys.connectorConfigsRevision(), keys.workspaceRemoval(HERE)]);
});

Deno.test("no settings are saved in a workspace that is being removed, nor once it is", async () => {
  using kv = await Deno.openKv(":memory:");
  const workspaces = workspaceStore(kv, () => new Date());
  const configs = connectorConfigStore(kv, await createSealer(new Uint8Array(32).fill(7)));
  await workspaces.create(ONE);
  const settings = { connectorId: "sample", enabled: true, config: {}, secrets: {}, webhookToken: "token" };
  const save = () => configs.save({ workspaceId: HERE, ...settings, retiring: null, retiringToken: null }, null);
  await workspaces.remove(HERE, async () => assert.equal(await save(), undefined));
  assert.equal(await save(), undefined);
  assert.deepEqual(await configs.list(), []);
});
