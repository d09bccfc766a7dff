import assert from "node:assert/strict";
import { allImports } from "./imports.ts";
import { checkRooms, roomOf } from "./rooms.ts";

/** Violations of a tree in which `from` imports `to`, as a value or as a type. */
function check(from: string, to: string, keyword = "import"): string[] {
  const up = "../".repeat(from.split("/").length - 1) || "./";
  const files = [{ path: from, text: `${keyword} { a } from "${up}${to}";\n` }, { path: to, text: "" }];
  return checkRooms(files, allImports(files)).map(({ file, line, wrong }) => `${file}:${line}: ${wrong}`);
}

const allowed: [from: string, to: string][] = [
  ["packages/github-events/mod.ts", "packages/events-core/mod.ts"],
  ["connectors/github/mod.ts", "packages/github-events/mod.ts"],
  ["connectors/github/mod.ts", "connectors/kit/mod.ts"],
  ["connectors/github/mod.ts", "connectors/github/normalize.ts"],
  ["connectors/catalogue.ts", "connectors/github/mod.ts"],
  ["server/app.ts", "connectors/catalogue.ts"],
  ["server/app.ts", "connectors/kit/mod.ts"],
  ["server/app.ts", "server/ingest/pipeline.ts"],
  ["components/button.tsx", "packages/events-core/mod.ts"],
  ["islands/live.tsx", "components/button.tsx"],
  ["routes/index.tsx", "islands/live.tsx"],
  ["main.ts", "server/store/kv.ts"],
  ["main.ts", "routes/index.tsx"],
  ["start.ts", "main.ts"],
  ["main.ts", "fresh.config.ts"],
  ["server/store/workspaces.ts", "server/store/kv.ts"],
  ["server/store/kv.ts", "server/deps.ts"],
  ["server/store/kv_test.ts", "server/broker/amqp.ts"],
  ["server/app_test.ts", "tests/support/rabbitmq.ts"],
  ["tests/api_test.ts", "server/store/kv.ts"],
  ["tests/conformance_test.ts", "connectors/github/mod.ts"],
  ["bench/load.ts", "tests/support/rabbitmq.ts"],
  ["scripts/run_tests.ts", "tests/support/rabbitmq.ts"],
  ["scripts/openapi.ts", "server/api/openapi.ts"],
  ["tests/device_test.ts", "examples/device_client.ts"],
  ["examples/node_consumer.ts", "packages/consumer/mod.ts"],
];

for (const [from, to] of allowed) {
  Deno.test(`checkRooms lets ${from} import ${to}`, () => assert.deepEqual(check(from, to), []));
}

const forbidden: [from: string, to: string][] = [
  ["packages/events-core/mod.ts", "connectors/kit/mod.ts"],
  ["connectors/github/mod.ts", "server/config.ts"],
  ["connectors/github/mod.ts", "connectors/slack/mod.ts"],
  ["connectors/kit/mod.ts", "connectors/github/mod.ts"],
  ["server/app.ts", "connectors/github/mod.ts"],
  ["server/app.ts", "components/button.tsx"],
  ["server/app.ts", "main.ts"],
  ["components/button.tsx", "islands/live.tsx"],
  ["components/button.tsx", "server/config.ts"],
  ["islands/live.tsx", "routes/index.tsx"],
  ["islands/live.tsx", "server/config.ts"],
  ["routes/index.tsx", "server/config.ts"],
  ["routes/index.tsx", "connectors/catalogue.ts"],
  ["server/ingest/pipeline.ts", "server/store/kv.ts"],
  ["server/deps.ts", "server/crypto/seal.ts"],
  ["server/store/kv.ts", "server/crypto/seal.ts"],
  ["main.ts", "connectors/github/mod.ts"],
  ["main.ts", "scripts/openapi.ts"],
  ["server/app.ts", "tests/support/rabbitmq.ts"],
  ["server/app.ts", "server/config_test.ts"],
  ["scripts/run_tests.ts", "tests/api_test.ts"],
  ["examples/device_client.ts", "connectors/kit/mod.ts"],
  ["examples/device_client.ts", "server/deps.ts"],
  ["server/app.ts", "examples/device_client.ts"],
  ["scripts/run_tests.ts", "tests/support/rabbitmq_test.ts"],
];

for (const [from, to] of forbidden) {
  Deno.test(`checkRooms does not let ${from} import ${to}`, () => {
    const violations = check(from, to);
    assert.equal(violations.length, 1);
    assert.ok(violations[0]?.startsWith(`${from}:1: `));
  });
}

Deno.test("checkRooms lets routes import types of the server, but not of its adapters", () => {
  assert.deepEqual(check("routes/index.tsx", "server/deps.ts", "import type"), []);
  assert.equal(check("routes/index.tsx", "server/store/kv.ts", "import type").length, 1);
});

Deno.test("checkRooms lets only server/deps.ts import types of adapters", () => {
  assert.deepEqual(check("server/deps.ts", "server/store/kv.ts", "import type"), []);
  assert.equal(check("server/app.ts", "server/store/kv.ts", "import type").length, 1);
  assert.equal(check("server/broker/amqp.ts", "server/store/kv.ts", "import type").length, 1);
});

Deno.test("checkRooms finds code that is in no room", () => {
  const violations = checkRooms([{ path: "helpers/a.ts", text: "" }, { path: "helpers/a.md", text: "" }], []);
  assert.deepEqual(violations.map(({ file }) => file), ["helpers/a.ts"]);
});

Deno.test("roomOf puts a test into the room of tests, wherever it lies", () => {
  assert.equal(roomOf("server/app_test.ts"), "tests");
  assert.equal(roomOf("components/button_test.tsx"), "tests");
  assert.equal(roomOf("server/latest.ts"), "server");
});
