import assert from "node:assert/strict";
import { loadConfig, variables } from "./config.ts";
import { ConfigError } from "./errors.ts";

const load = (env: Record<string, string>) => loadConfig((name) => env[name]);

Deno.test("loadConfig gives the documented defaults", () => {
  assert.deepEqual(load({}), {
    adminToken: undefined,
    metricsToken: undefined,
    sessionLifetimeMs: 604_800_000,
    port: 3200,
    host: "127.0.0.1",
    publicUrl: "http://localhost:3200",
    kvPath: "./data/inlet.sqlite3",
    encryptionKey: undefined,
    encryptionKeysOld: [],
    amqpUrl: undefined,
    exchange: "inlet.events",
    routingKey: "{type}",
    messageFormat: "normalized",
    publishTimeoutMs: 5000,
    spoolMaxBytes: 1024 ** 3,
    dedupeWindowMs: 3 * 24 * 60 * 60 * 1000,
    maxMessageBytes: 16 * 1024 * 1024,
    maxBodyBytes: 25 * 1024 * 1024,
    bodyTimeoutMs: 30_000,
    bodyMemoryBytes: 256 * 1024 * 1024,
    maxEventsPerDelivery: 5000,
    maxJsonDepth: 64,
    rateLimit: 0,
    rateLimitBurst: 0,
    maxStreams: 1000,
    shutdownTimeoutMs: 10_000,
    deliveryRetentionMs: 3 * 24 * 60 * 60 * 1000,
    deliveryRetentionCount: 1000,
    journalRetentionMs: 24 * 60 * 60 * 1000,
    journalRetentionCount: 10_000,
    auditRetentionMs: 365 * 24 * 60 * 60 * 1000,
    logLevel: "info",
    logFormat: "text",
  });
});

Deno.test("loadConfig takes an empty value as unset", () => {
  assert.equal(load({ PORT: "", AMQP_URL: "" }).port, 3200);
});

Deno.test("loadConfig takes a routing key that has room for every type", () => {
  for (const template of ["events", `${"x".repeat(118)}{type}`, `${"é".repeat(15)}{workspaceId}.{source}.{type}`]) {
    assert.equal(load({ AMQP_ROUTING_KEY: template }).routingKey, template);
  }
});

Deno.test("loadConfig reads durations in every unit", () => {
  for (
    const [text, ms] of [["250ms", 250], ["7s", 7000], ["2m", 120_000], ["1h", 3_600_000], ["3d", 259_200_000]] as const
  ) {
    assert.equal(load({ AUDIT_RETENTION: text }).auditRetentionMs, ms);
  }
});

Deno.test("loadConfig derives the webhook URLs' base from the port unless it is given", () => {
  assert.equal(load({ PORT: "8080" }).publicUrl, "http://localhost:8080");
  assert.equal(
    load({ PORT: "8080", PUBLIC_URL: "https://in.example.com/base/ \n" }).publicUrl,
    "https://in.example.com/base",
  );
});

Deno.test("loadConfig leaves the store to Deno Deploy there, unless KV_PATH is set", () => {
  assert.equal(load({ DENO_DEPLOYMENT_ID: "abc" }).kvPath, undefined);
  assert.equal(load({ DENO_DEPLOYMENT_ID: "abc", KV_PATH: "https://kv.example.com" }).kvPath, "https://kv.example.com");
});

Deno.test("loadConfig refuses a key that is none without quoting it, and a free port without a public URL", () => {
  assert.throws(() => load({ ENCRYPTION_KEY: "hunter2" }), (error: Error) => {
    assert.match(error.message, /^Cannot start: ENCRYPTION_KEY is not usable: expected 32 bytes .* openssl rand/);
    return !error.message.includes("hunter2");
  });
  assert.throws(() => load({ PORT: "0" }), /PUBLIC_URL/);
  assert.equal(load({ PORT: "0", PUBLIC_URL: "https://in.example.com" }).port, 0);
});

Deno.test("loadConfig refuses to listen for others while nobody has to sign in, and names the two ways on", () => {
  for (const HOST of ["0.0.0.0", "::", "192.0.2.1", "inlet.example"]) {
    assert.throws(() => load({ HOST }), /HOST is .* and ADMIN_TOKEN is not set: .* Set ADMIN_TOKEN .* or leave HOST/);
    assert.equal(load({ HOST, ADMIN_TOKEN: "0123456789abcdef" }).host, HOST);
  }
  for (const HOST of ["127.0.0.1", "::1", "[::1]", "localhost"]) assert.equal(load({ HOST }).host, HOST);
  for (const ADMIN_TOKEN of ["short", "a token with blanks in it"]) {
    assert.throws(() => load({ ADMIN_TOKEN }), (error: Error) => !error.message.includes(ADMIN_TOKEN));
  }
});

Deno.test("loadConfig refuses a HOST that is none", () => {
  for (const HOST of ["*", "http://localhost", "localhost:3200", "[::1", "a b"]) {
    assert.throws(() => load({ HOST, ADMIN_TOKEN: "0123456789abcdef" }), /HOST is .*: expected a host name or an IP/);
  }
  for (const HOST of ["my_host", "in-1.example.com", "192.0.2.1", "fe80::1%eth0", "[::]", "::ffff:127.0.0.1"]) {
    assert.equal(load({ HOST, ADMIN_TOKEN: "0123456789abcdef" }).host, HOST);
  }
});

Deno.test("loadConfig refuses a BODY_MEMORY that the largest body would never fit", () => {
  assert.throws(
    () => load({ BODY_MEMORY: "30000000" }),
    /BODY_MEMORY is 30000000: .* MAX_BODY_BYTES, which is 26214400/,
  );
  assert.equal(load({ BODY_MEMORY: "30000000", MAX_BODY_BYTES: "22500000" }).bodyMemoryBytes, 30_000_000);
});

Deno.test("loadConfig lets a webhook URL burst to a second's deliveries unless it is told otherwise", () => {
  assert.equal(load({ RATE_LIMIT: "100" }).rateLimitBurst, 100);
  assert.equal(load({ RATE_LIMIT: "100", RATE_LIMIT_BURST: "500" }).rateLimitBurst, 500);
});

Deno.test("loadConfig refuses RATE_LIMIT_BURST where no RATE_LIMIT is set, and lets one that is 0 turn both off", () => {
  assert.throws(() => load({ RATE_LIMIT_BURST: "500" }), {
    name: "ConfigError",
    message: /RATE_LIMIT_BURST is set and RATE_LIMIT is not/,
  });
  assert.equal(load({ RATE_LIMIT: "0", RATE_LIMIT_BURST: "500" }).rateLimit, 0);
});

Deno.test("loadConfig takes 0 to keep no deliveries", () => {
  assert.equal(load({ DELIVERY_RETENTION: "0" }).deliveryRetentionMs, 0);
});

Deno.test("loadConfig freezes what it gives", () => {
  assert.ok(Object.isFrozen(load({})));
});

for (
  const [name, value] of [
    ["PORT", "http"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "3200.5"],
    ["KV_PATH", "~/inlet.sqlite3"],
    ["PUBLIC_URL", "example.com"],
    ["PUBLIC_URL", "ftp://example.com"],
    ["PUBLIC_URL", "https://example.com/?from=inlet"],
    ["PUBLIC_URL", "https://example.com/#top"],
    ["PUBLIC_URL", "https://example.com/a b"],
    ["AMQP_EXCHANGE", "x".repeat(201)],
    ["AMQP_ROUTING_KEY", "{kind}"],
    ["AMQP_ROUTING_KEY", "{type}.{type}"],
    ["MESSAGE_FORMAT", "xml"],
    ["PUBLISH_TIMEOUT", "5"],
    ["PUBLISH_TIMEOUT", "five seconds"],
    ["PUBLISH_TIMEOUT", "30d"],
    ["SHUTDOWN_TIMEOUT", "30d"],
    ["SESSION_LIFETIME", "99999999d"],
    ["MAX_BODY_BYTES", "25MB"],
    ["MAX_BODY_BYTES", "0"],
    ["BODY_TIMEOUT", "0s"],
    ["BODY_TIMEOUT", "30d"],
    ["BODY_MEMORY", "256M"],
    ["MAX_EVENTS_PER_DELIVERY", "0"],
    ["MAX_JSON_DEPTH", "1001"],
    ["RATE_LIMIT", "0.5"],
    ["RATE_LIMIT_BURST", "0"],
    ["MAX_STREAMS", "many"],
    ["LOG_LEVEL", "loud"],
    ["LOG_FORMAT", "xml"],
  ] as const
) {
  Deno.test(`loadConfig refuses ${name}=${value}, naming it and what was expected`, () => {
    assert.throws(() => load({ [name]: value }), (error: Error) => {
      assert.ok(error instanceof ConfigError);
      assert.ok(error.message.startsWith(`Cannot start: ${name} is "${value}": expected `), error.message);
      return true;
    });
  });
}

Deno.test("loadConfig names every fault at once, and quotes no secret", () => {
  assert.throws(() => load({ PORT: "x", AMQP_URL: "http://user:hunter2@host" }), (error: Error) => {
    const lines = error.message.split("\n");
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? "", /^Cannot start: AMQP_URL is not usable: expected a URL that begins with amqp:/);
    return !error.message.includes("hunter2");
  });
});

Deno.test("variables documents each variable with default and meaning", () => {
  const documented = variables();
  assert.deepEqual(documented.find(({ name }) => name === "PORT")?.default, "3200");
  assert.equal(documented.find(({ name }) => name === "AMQP_URL")?.default, undefined);
  for (const { name, meaning } of documented) assert.ok(meaning.length > 10, name);
});

Deno.test("the start task may read exactly the documented variables", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("../deno.json", import.meta.url)));
  const allowed = /--allow-env=([A-Z_,]+) --allow-read/.exec(tasks.start.command)?.[1]?.split(",");
  assert.deepEqual(allowed, variables().map(({ name }) => name));
  assert.ok(!/ -A| --allow-all/.test(tasks.start.command));
});

Deno.test("AMQP_URL takes the nodes of a cluster, with commas between", () => {
  const nodes = "amqp://a:b,c@one,amqps://two:5671";
  assert.equal(load({ AMQP_URL: nodes }).amqpUrl, nodes);
  assert.throws(() => load({ AMQP_URL: "amqp://a:50%off@one" }), /AMQP_URL is not usable: expected a % in user/);
  assert.throws(() => load({ AMQP_URL: "amqp://one,two" }), /AMQP_URL is not usable/);
});

Deno.test("loadConfig says of AMQP_URL which part is wrong, and that alone", () => {
  for (
    const [url, message] of [
      ["amqp://host:99999", /^[^\n]+: expected a port from 1 to 65535 after the host[^\n]+$/],
      ["amqp://one,amqp://two:abc", /^[^\n]+: expected a port from 1 to 65535 after the host[^\n]+$/],
      ["amqp://me:pass/word@host:5672", /^[^\n]+: expected a URL that begins with amqp:[^\n]+$/],
    ] as const
  ) assert.throws(() => load({ AMQP_URL: url }), { name: "ConfigError", message });
});

Deno.test("loadConfig wants ADMIN_TOKEN beside METRICS_TOKEN", () => {
  const METRICS_TOKEN = "the-metrics-token-of-a-test";
  assert.throws(() => load({ METRICS_TOKEN }), {
    name: "ConfigError",
    message: /METRICS_TOKEN is set and ADMIN_TOKEN is not/,
  });
  assert.equal(load({ METRICS_TOKEN, ADMIN_TOKEN: "the-admin-token-of-a-test" }).metricsToken, METRICS_TOKEN);
});
