import assert from "node:assert/strict";
import { readTask, STORE } from "./tasks.ts";

Deno.test("readTask gives what a task sets, and what it runs in the end", async () => {
  const { variables, args } = await readTask("start");
  assert.deepEqual(variables, ["OTEL_TRACES_SAMPLER=parentbased_always_off", "OTEL_PROPAGATORS=none"]);
  assert.deepEqual([args[0], args.at(-1)], ["run", "start.ts"]);
  assert.ok(args.includes(`--allow-write=${STORE}`));
  assert.deepEqual(await readTask("device-key"), {
    variables: [],
    args: ["run", "--no-prompt", "scripts/device_key.ts"],
  });
});

Deno.test("readTask refuses a task that is not there, or grants everything", async () => {
  for (const task of ["nope", "test"]) {
    await assert.rejects(readTask(task), new RegExp(`^Error: Cannot read the task ${task} in deno\\.json`));
  }
});
