import assert from "node:assert/strict";
import { tokens } from "../crypto/token.ts";
import { createAudit } from "../audit/audit.ts";
import { auditStore } from "../store/audit.ts";
import { apiKeyStore } from "../store/api_keys.ts";
import { sessionStore } from "../store/sessions.ts";
import { type Access, createAccess } from "./access.ts";

const ADMIN_TOKEN = "the-admin-token-of-a-test";
const METRICS_TOKEN = "the-metrics-token-of-a-test";
const WORKSPACE = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const OTHER = "9f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";

class World implements Disposable {
  now = new Date("2026-03-02T12:00:00.000Z");

  private constructor(readonly kv: Deno.Kv) {}

  static async create(): Promise<World> {
    return new World(await Deno.openKv(":memory:"));
  }

  access(adminToken: string | undefined = ADMIN_TOKEN): Access {
    const now = () => this.now;
    const stores = { sessions: sessionStore(this.kv, now), apiKeys: apiKeyStore(this.kv) };
    return createAccess({
      adminToken,
      metricsToken: METRICS_TOKEN,
      sessionLifetimeMs: 3_600_000,
      ...stores,
      tokens,
      audit: audits(this.kv, now),
      now,
    });
  }

  [Symbol.dispose](): void {
    this.kv.close();
  }
}

function audits(kv: Deno.Kv, now: () => Date) {
  return createAudit({ audit: auditStore(kv, 86_400_000), now });
}

function request(headers: Record<string, string> = {}): Request {
  return new Request("http://inlet.example/connectors", { headers: { host: "inlet.example", ...headers } });
}

const bearer = (token: string) => request({ authorization: `Bearer ${token}` });
const session = (token: string) => request({ cookie: `theme=dark; inlet_session=${token}` });

Deno.test("access knows the administrator by ADMIN_TOKEN", async () => {
  using world = await World.create();
  const access = world.access();
  const caller = await access.identify(bearer(ADMIN_TOKEN), "192.0.2.1");
  assert.ok(caller.isAdmin && caller.may("manage", WORKSPACE));
  const wrong = [
    request(),
    bearer("wrong"),
    bearer(`${ADMIN_TOKEN}x`),
    bearer(""),
    request({ authorization: "Basic x" }),
  ];
  for (const each of [...wrong, session("wrong"), session("")]) {
    await assert.rejects(access.identify(each, "192.0.2.1"), { name: "UnauthorizedError" });
  }
});

Deno.test("access lets METRICS_TOKEN read the metrics, and nothing else, however its address has failed before", async () => {
  using world = await World.create();
  const access = world.access();
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  for (let tries = 0; tries < 20; tries++) await assert.rejects(access.identify(request(headers), "192.0.2.1"));
  const metrics = new Request("http://inlet.example/metrics", { headers });
  const caller = await access.identify(metrics, "192.0.2.1");
  assert.deepEqual(
    [caller.mayReadMetrics, caller.isAdmin, caller.may("read", WORKSPACE)],
    [true, false, false],
  );
  const wrong = new Request("http://inlet.example/metrics", { headers: { authorization: "Bearer wrong" } });
  await assert.rejects(access.identify(wrong, "192.0.2.2"), { name: "UnauthorizedError" });
});

Deno.test("access opens a session for ADMIN_TOKEN, until it expires, is ended or the token is replaced", async () => {
  using world = await World.create();
  const access = world.access();
  const { token, expiresAt } = await access.signIn(ADMIN_TOKEN, "192.0.2.1");
  assert.equal(expiresAt.toISOString(), "2026-03-02T13:00:00.000Z");
  assert.ok((await access.identify(session(token), "192.0.2.9")).isAdmin);
  await assert.rejects(world.access("another-admin-token").identify(session(token), "a"), {
    name: "UnauthorizedError",
  });
  world.now = expiresAt;
  await assert.rejects(access.identify(session(token), "192.0.2.1"), { name: "UnauthorizedError" });

  const second = await access.signIn(ADMIN_TOKEN, "192.0.2.1");
  const { sessionHash = "" } = await access.identify(session(second.token), "192.0.2.1");
  assert.equal(await access.hasSession(sessionHash), true);
  await access.signOut(session(second.token));
  assert.equal(await access.hasSession(sessionHash), false);
  await assert.rejects(access.identify(session(second.token), "192.0.2.1"), { name: "UnauthorizedError" });
});

Deno.test("the store holds no session token and no key", async () => {
  using world = await World.create();
  const access = world.access();
  const { token } = await access.signIn(ADMIN_TOKEN, "192.0.2.1");
  const stored = await Array.fromAsync(world.kv.list({ prefix: [] }), ({ key, value }) => {
    return `${key.join()} ${value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value)}`;
  });
  assert.equal(stored.length, 2, "the session, and the account of it");
  assert.ok(!stored.join().includes(token) && !stored.join().includes(ADMIN_TOKEN));
});

Deno.test("access knows an API key, for its workspace and within its scope, until it is revoked", async () => {
  using world = await World.create();
  const access = world.access();
  const apiKeys = apiKeyStore(world.kv);
  const key = { workspaceId: WORKSPACE, name: "consumer", createdAt: world.now };
  const ids = { read: crypto.randomUUID(), manage: crypto.randomUUID() };
  await apiKeys.create({ ...key, id: ids.read, scope: "read" }, tokens.hash("inlet_r"));
  await apiKeys.create({ ...key, id: ids.manage, scope: "manage" }, tokens.hash("inlet_m"));
  const reader = await access.identify(bearer("inlet_r"), "192.0.2.1");
  const manager = await access.identify(bearer("inlet_m"), "192.0.2.1");
  const allowed = [reader, manager].flatMap((caller) =>
    [WORKSPACE, OTHER].flatMap((id) => [caller.may("read", id), caller.may("manage", id)])
  );
  assert.deepEqual(allowed, [true, false, false, false, true, true, false, false]);
  assert.deepEqual([reader.isAdmin, manager.isAdmin, reader.name], [false, false, "key consumer"]);
  assert.ok(await apiKeys.remove(WORKSPACE, ids.read));
  await assert.rejects(access.identify(bearer("inlet_r"), "192.0.2.1"), { name: "UnauthorizedError" });
  assert.equal(await apiKeys.remove(OTHER, ids.manage), false, "a key of another workspace is not found");
});

Deno.test("access slows an address that guesses, and no other", async () => {
  using world = await World.create();
  const access = world.access();
  for (let guess = 0; guess < 5; guess++) {
    await assert.rejects(access.identify(bearer("guess"), "192.0.2.1"), { name: "UnauthorizedError" });
    await assert.rejects(access.signIn("guess", "192.0.2.1"), { name: "UnauthorizedError" });
  }
  const slowed = { name: "TooManyRequestsError", waitMs: 10_000 };
  await assert.rejects(access.signIn(ADMIN_TOKEN, "192.0.2.1"), slowed);
  await assert.rejects(access.identify(bearer(ADMIN_TOKEN), "192.0.2.1"), slowed);
  assert.ok((await access.identify(bearer(ADMIN_TOKEN), "192.0.2.2")).isAdmin);
  world.now = new Date(world.now.getTime() + 10_000);
  assert.ok((await access.identify(bearer(ADMIN_TOKEN), "192.0.2.1")).isAdmin);
});

Deno.test("access goes on knowing API keys where somebody guesses: behind a proxy all have one address", async () => {
  using world = await World.create();
  const access = world.access();
  const key = { id: crypto.randomUUID(), workspaceId: WORKSPACE, name: "consumer", createdAt: world.now };
  await apiKeyStore(world.kv).create({ ...key, scope: "read" }, tokens.hash("inlet_r"));
  for (let guess = 0; guess < 10; guess++) {
    await assert.rejects(access.identify(bearer("guess"), "192.0.2.1"), { name: "UnauthorizedError" });
  }
  await assert.rejects(access.identify(bearer("guess"), "192.0.2.1"), { name: "TooManyRequestsError" });
  assert.equal((await access.identify(bearer("inlet_r"), "192.0.2.1")).name, "key consumer");
});

Deno.test("access without ADMIN_TOKEN serves this machine and nobody else, whatever they send", async () => {
  using world = await World.create();
  const access = createAccess({
    adminToken: undefined,
    sessionLifetimeMs: 1,
    sessions: sessionStore(world.kv, () => world.now),
    apiKeys: apiKeyStore(world.kv),
    tokens,
    audit: audits(world.kv, () => world.now),
    now: () => world.now,
  });
  const local = (headers: Record<string, string> = {}) => request({ host: "localhost:3200", ...headers });
  assert.ok((await access.identify(local(), "127.0.0.1")).isAdmin);
  for (
    const [each, peer] of [[request(), "127.0.0.1"], [local(), "192.0.2.1"], [local({ via: "p" }), "::1"]] as const
  ) {
    await assert.rejects(access.identify(each, peer), { name: "ForbiddenError", message: /ADMIN_TOKEN is not set/ });
  }
  await assert.rejects(access.signIn("", "127.0.0.1"), { name: "UnauthorizedError" });
});

Deno.test("access refuses what another site's page sent, whoever is signed in", async () => {
  using world = await World.create();
  const access = world.access();
  const { token } = await access.signIn(ADMIN_TOKEN, "192.0.2.1");
  const forged = new Request("http://inlet.example/setup", {
    method: "POST",
    headers: { cookie: `inlet_session=${token}`, "sec-fetch-site": "cross-site" },
  });
  await assert.rejects(access.identify(forged, "192.0.2.1"), { name: "ForbiddenError", message: /another site/ });
});
