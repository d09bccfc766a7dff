import assert from "node:assert/strict";
import { guardCleanup } from "./cleanup_guard.ts";
import { assertNothingLeft } from "./processes.ts";

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test("guardCleanup runs the clean-up on release, once, and release waits for it", async () => {
  const file = await Deno.makeTempFile();
  const guard = guardCleanup(`sleep 0.1; rm "$1"`, [file]);
  assert.ok(await exists(file));
  await guard.release();
  assert.ok(!await exists(file));
  await guard.release();
});

const endings = {
  "Deno.exit": "Deno.exit(0);",
  "an uncaught error": `throw new Error("not caught");`,
  "Ctrl-C": `Deno.kill(Deno.pid, "SIGINT"); await new Promise((resolve) => setTimeout(resolve, 60_000));`,
  "kill -9": `Deno.kill(Deno.pid, "SIGKILL");`,
};

for (const [name, end] of Object.entries(endings)) {
  Deno.test(`guardCleanup runs the clean-up when the process ends by ${name}`, async () => {
    const file = await Deno.makeTempFile();
    const script = `import { guardCleanup } from "${new URL("./cleanup_guard.ts", import.meta.url)}";
      guardCleanup('rm "$1"', [${JSON.stringify(file)}]); ${end}`;
    await new Deno.Command(Deno.execPath(), { args: ["eval", "--no-check", script] }).output();
    await assertNothingLeft(file);
  });
}
