import assert from "node:assert/strict";
import { examineRuntime, examineSettings } from "./settings.ts";

function stateOf(environment: Record<string, string>): string[] {
  return examineSettings((name) => environment[name]).findings.map(({ state }) => state);
}

Deno.test("examineRuntime warns of a Deno that is older than what is tested, or of another major version", () => {
  const states = ["2.9.6", "2.10.0", "2.8.3", "3.0.0"].map((version) => examineRuntime(version).state);
  assert.deepEqual(states, ["ok", "ok", "warning", "warning"]);
});

Deno.test("examineSettings warns of webhook URLs that nobody reaches, or that anybody reads", () => {
  assert.deepEqual(stateOf({}), ["ok", "warning"]);
  assert.deepEqual(stateOf({ PUBLIC_URL: "http://[::1]:3200" }), ["ok", "warning"]);
  assert.deepEqual(stateOf({ PUBLIC_URL: "http://inlet.example" }), ["ok", "warning"]);
  assert.deepEqual(stateOf({ PUBLIC_URL: "https://inlet.example" }), ["ok"]);
});

Deno.test("examineSettings names every variable that is wrong, and no secret", () => {
  const { config, findings } = examineSettings((name) => ({ PORT: "http", AMQP_URL: "hunter2" })[name]);
  assert.equal(config, undefined);
  assert.deepEqual(findings.map(({ state, detail }) => [state, detail.split(" ")[0]]), [
    ["problem", "PORT"],
    ["problem", "AMQP_URL"],
  ]);
  assert.ok(!JSON.stringify(findings).includes("hunter2"));
});
