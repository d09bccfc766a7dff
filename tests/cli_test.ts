/** Every task says what it does, helps, and refuses what it does not know. */
import assert from "node:assert/strict";
import { z } from "zod";

const ROOT = new URL("../", import.meta.url);
const { tasks } = z.object({ tasks: z.record(z.string(), z.object({ description: z.string(), command: z.string() })) })
  .parse(JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT))));

/** It hands on all arguments, so that what it does not know is for `deno test` to refuse. */
const HANDS_ON = "test";

async function run(task: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const folder = await Deno.makeTempDir({ prefix: "inlet-test-" });
  try {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["task", "--quiet", task, ...args],
      cwd: ROOT,
      env: { NO_COLOR: "1", KV_PATH: `${folder}/inlet.sqlite3`, PORT: "0", PUBLIC_URL: "http://localhost" },
      stdin: "null",
    }).output();
    const text = new TextDecoder();
    assert.deepEqual(await Array.fromAsync(Deno.readDir(folder)), [], `${task} ${args} did something`);
    return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("deno task lists what each task does, as an order", () => {
  for (const [name, { description }] of Object.entries(tasks)) {
    assert.match(description, /^[A-Z][a-z]+ /, name);
    assert.doesNotMatch(description, /\.$|^Every|^Runs|^[A-Z][a-z]+s /, name);
    assert.ok(description.length <= 110, `${name}: ${description.length} characters`);
  }
});

Deno.test("deno task healthy says that it needs the port which the service took", async () => {
  const { code, stdout, stderr } = await run("healthy");
  assert.deepEqual([code, stdout], [1, ""]);
  assert.equal(stderr, "Cannot ask the service: PORT is 0, a free one; set PORT to the one that its log names\n");
});

Deno.test("every task tells how it is called, and refuses an option that it does not know, before it does anything", async (t) => {
  for (const task of Object.keys(tasks)) {
    await t.step(task, async () => {
      const [help, misuse] = await Promise.all([
        run(task, "--help"),
        task === HANDS_ON ? undefined : run(task, "--bogus"),
      ]);
      assert.equal(help.code, 0, help.stderr);
      assert.ok(help.stdout.includes(`deno task ${task}`), help.stdout);
      assert.ok(help.stdout.split("\n").every((line) => line.length <= 200), "no line is endless");
      if (misuse === undefined) return;
      assert.equal(misuse.code, 2, misuse.stderr);
      assert.equal(misuse.stdout, "");
      const lines = misuse.stderr.split("\n").filter((line) => line !== "" && !line.startsWith("Task "));
      assert.equal(lines.length, 1, misuse.stderr);
      assert.match(misuse.stderr, /--bogus.*deno task .* --help/);
    });
  }
});
