import assert from "node:assert/strict";
import { createSealer } from "../crypto/seal.ts";
import type { ConnectorConfig } from "../deps.ts";
import { UnreadableSettingsError } from "../errors.ts";
import { connectorConfigStore } from "./connector_configs.ts";
import { keys } from "./keys.ts";
import { openStore } from "./open.ts";

const CONFIG: ConnectorConfig = {
  workspaceId: "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11",
  connectorId: "sample",
  enabled: true,
  config: { shout: true },
  secrets: { signingSecret: "correct horse battery staple" },
  webhookToken: "the-opaque-token-of-the-url",
  retiring: null,
  retiringToken: null,
};
const sealer = await createSealer(new Uint8Array(32).fill(7));

Deno.test("a config comes back as it was saved, at its version", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = connectorConfigStore(kv, sealer);
  const saved = await store.save(CONFIG, null);
  assert.deepEqual(saved?.value, CONFIG);
  assert.deepEqual(await store.get(CONFIG.workspaceId, CONFIG.connectorId), saved);
  assert.deepEqual(await store.list(), [saved]);
  assert.deepEqual(await store.list(CONFIG.workspaceId), [saved]);
  assert.deepEqual(await store.list("00000000-0000-4000-8000-000000000000"), []);
});

Deno.test("a config comes back with what is retiring, and one of an older version has nothing that is", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = connectorConfigStore(kv, sealer);
  const until = new Date("2026-01-02T03:04:05.678Z");
  const retiring = { secrets: { signingSecret: "an older secret" }, until };
  const saved = await store.save({ ...CONFIG, retiring, retiringToken: { token: "an older token", until } }, null);
  assert.deepEqual(await store.get(CONFIG.workspaceId, CONFIG.connectorId), saved);

  const { workspaceId, connectorId, enabled, config, secrets, webhookToken } = CONFIG;
  const plain = new TextEncoder().encode(JSON.stringify({ secrets, webhookToken }));
  const sealed = (await sealer.seal(plain, `connector-config/${workspaceId}/${connectorId}`)).toBase64();
  const older = JSON.stringify({ workspaceId, connectorId, enabled, config, sealed });
  await kv.set(keys.connectorConfig(workspaceId, connectorId), new TextEncoder().encode(older));
  assert.deepEqual((await store.get(workspaceId, connectorId))?.value, CONFIG);
});

Deno.test("a config is not saved over a version that its writer has not seen", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = connectorConfigStore(kv, sealer);
  const first = await store.save(CONFIG, null) ?? assert.fail();
  assert.equal(await store.save({ ...CONFIG, enabled: false }, null), undefined);
  const second = await store.save({ ...CONFIG, enabled: false }, first.version) ?? assert.fail();
  assert.equal(await store.save(CONFIG, first.version), undefined);
  assert.ok(second.version > first.version, "versions are ordered");
  assert.equal((await store.get(CONFIG.workspaceId, CONFIG.connectorId))?.value.enabled, false);
});

Deno.test("the revision changes with every save, and a watcher hears of it", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = connectorConfigStore(kv, sealer);
  const before = await store.revision();
  const stop = new AbortController();
  const changes = store.changes(stop.signal)[Symbol.asyncIterator]();
  await changes.next();
  const heard = changes.next();
  await store.save(CONFIG, null);
  assert.equal((await heard).done, false);
  assert.notEqual(await store.revision(), before);
  stop.abort();
  assert.equal((await changes.next()).done, true);
});

Deno.test("neither secret nor token is in the store's files", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const kv = await openStore(`${folder}/store.sqlite3`);
    const until = new Date();
    const retiring = { secrets: { signingSecret: "staple battery horse" }, until };
    const retiringToken = { token: "the-token-before-it", until };
    await connectorConfigStore(kv, sealer).save({ ...CONFIG, retiring, retiringToken }, null);
    kv.close();
    const files = await Array.fromAsync(Deno.readDir(folder), ({ name }) => Deno.readTextFile(`${folder}/${name}`));
    const bytes = files.join("");
    assert.ok(bytes.includes("shout"), "the files hold the config");
    assert.ok(!bytes.includes("horse battery"));
    assert.ok(!bytes.includes(CONFIG.webhookToken));
    assert.ok(!bytes.includes("battery horse") && !bytes.includes(retiringToken.token));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a sealed config moved to another workspace cannot be read there", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = connectorConfigStore(kv, sealer);
  await store.save(CONFIG, null);
  const other = "11111111-2222-4333-8444-555555555555";
  const { value } = await kv.get(keys.connectorConfig(CONFIG.workspaceId, CONFIG.connectorId));
  assert.ok(value instanceof Uint8Array);
  const moved = new TextDecoder().decode(value).replace(CONFIG.workspaceId, other);
  await kv.set(keys.connectorConfig(other, CONFIG.connectorId), new TextEncoder().encode(moved));
  await assert.rejects(store.get(other, CONFIG.connectorId), UnreadableSettingsError);
});
