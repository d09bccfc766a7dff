import assert from "node:assert/strict";
import { serviceCommand } from "./service_command.ts";

Deno.test("serviceCommand is what the start task runs: its permissions, on the store's folder", async () => {
  const command = await serviceCommand("/a/folder", "/before.ts");
  assert.deepEqual([command[0], command[1], command.at(-1)], ["run", "--preload=/before.ts", "start.ts"]);
  assert.ok(command.includes("--no-prompt"));
  assert.ok(command.includes("--allow-write=/a/folder"));
  assert.ok(!command.includes("-A"));
});
