import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { assertNothingLeft } from "../tests/support/processes.ts";

const SCRIPT = fileURLToPath(new URL("./run_tests.ts", import.meta.url));
const GIVEN = "amqp://127.0.0.1:1"; // Nobody connects to it.

async function withTests(tests: string, run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/some_test.ts`, tests);
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function command(folder: string, url: string, args: readonly string[] = [], limitMs = ""): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", SCRIPT, ...args],
    cwd: folder,
    env: { TEST_AMQP_URL: url, DENO_JOBS: "", TEST_LIMIT_MS: limitMs, NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  });
}

async function lastLine(folder: string, ...args: string[]): Promise<[code: number, line: string | undefined]> {
  const { code, stdout } = await command(folder, GIVEN, args).output();
  return [code, new TextDecoder().decode(stdout).trimEnd().split("\n").at(-1)];
}

const SOME = `Deno.test("a", () => {}); Deno.test("b", () => {}); Deno.test.ignore("c", () => {});`;

Deno.test("run_tests ends with 0 and the counts as last line when tests pass", async () => {
  await withTests(
    SOME,
    async (folder) => assert.deepEqual(await lastLine(folder), [0, "2 passed, 0 failed, 1 skipped"]),
  );
});

Deno.test("run_tests hands its arguments to deno test", async () => {
  await withTests(SOME, async (folder) => {
    assert.deepEqual(await lastLine(folder, "--filter", "/^a$/", "some_test.ts"), [0, "1 passed, 0 failed"]);
  });
});

/** A test that ends once the other's has begun. */
const meeting = (own: string, other: string) =>
  `Deno.test("${own}", async () => {
    await Deno.writeTextFile("${own}", "");
    while (!await Deno.stat("${other}").catch(() => undefined)) await new Promise((resolve) => setTimeout(resolve, 10));
  });`;

Deno.test("run_tests runs files side by side without arguments, wherever they lie, and counts the tests of all", async () => {
  await withTests(meeting("here", "there"), async (folder) => {
    await Deno.mkdir(`${folder}/deep/down`, { recursive: true });
    await Deno.writeTextFile(`${folder}/deep/down/other_test.tsx`, meeting("there", "here") + SOME);
    assert.deepEqual(await lastLine(folder), [0, "4 passed, 0 failed, 1 skipped"]);
  });
});

Deno.test("run_tests runs named files one after another", async () => {
  const tests = `Deno.test("begins and ends", async () => {
    await Deno.mkdir("busy");
    await new Promise((resolve) => setTimeout(resolve, 100)); // Another file that ran now would fail.
    await Deno.remove("busy");
  });`;
  await withTests(tests, async (folder) => {
    await Deno.writeTextFile(`${folder}/other_test.ts`, tests);
    assert.deepEqual(await lastLine(folder, "some_test.ts", "other_test.ts"), [0, "2 passed, 0 failed"]);
  });
});

Deno.test("run_tests hands the URL of RabbitMQ to the tests", async () => {
  const tests = `Deno.test("a", () => { if (Deno.env.get("TEST_AMQP_URL") !== "${GIVEN}") throw new Error(); });`;
  await withTests(tests, async (folder) => assert.deepEqual(await lastLine(folder), [0, "1 passed, 0 failed"]));
});

Deno.test("run_tests ends with the code of the tests when some fail", async () => {
  const tests = `${SOME} Deno.test("d", () => { throw new Error("wrong"); });`;
  await withTests(
    tests,
    async (folder) => assert.deepEqual(await lastLine(folder), [1, "2 passed, 1 failed, 1 skipped"]),
  );
});

Deno.test("run_tests fails a test that hangs, says which, runs those after it, and ends what is left running", async () => {
  const tests = `const args = ["-c", "sleep 600 & echo started; wait"];
  const shell = new Deno.Command("sh", { args, env: { LEFT: Deno.cwd() }, stdout: "piped" }).spawn();
  await shell.stdout.getReader().read();
  Deno.test("hangs", async () => await new Promise((resolve) => setTimeout(resolve, 600_000)));
  Deno.test("works", { timeout: 0 }, () => {});`;
  let left = "";
  await withTests(tests, async (folder) => {
    left = folder;
    const { code, stdout } = await command(folder, GIVEN, [], "1").output();
    const printed = new TextDecoder().decode(stdout);
    assert.equal(code, 1, printed);
    assert.match(printed, /^hangs => \.\/some_test\.ts:4:8\nerror: Test timed out after 1ms\.$/m);
    assert.match(printed, /\n1 passed, 1 failed\n$/);
  });
  await assertNothingLeft(left);
});

Deno.test("run_tests fails when no test was run", async () => {
  await withTests("", async (folder) => assert.deepEqual(await lastLine(folder), [1, "0 passed, 0 failed"]));
});

Deno.test("run_tests fails when the tests cannot be compiled", async () => {
  await withTests("const a: string = 1;", async (folder) => {
    assert.deepEqual(await lastLine(folder), [1, "0 passed, 0 failed"]);
  });
});

Deno.test("run_tests stops the tests and RabbitMQ when it is told to stop", async () => {
  const tests = `Deno.test("a", async () => {
    await Deno.writeTextFile("started", Deno.env.get("TEST_AMQP_URL") ?? "");
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  });`;
  await withTests(tests, async (folder) => {
    const running = command(folder, "").spawn();
    const started = () => Deno.readTextFile(`${folder}/started`).catch(() => "");
    let ended = false;
    const ending = running.output().finally(() => ended = true);
    while (!ended && await started() === "") await new Promise((resolve) => setTimeout(resolve, 100));
    const { port } = new URL(await started());
    running.kill("SIGTERM");
    const { code, stdout } = await ending;
    assert.equal(code, 143);
    assert.equal(new TextDecoder().decode(stdout).trimEnd().split("\n").at(-1), "0 passed, 0 failed");
    await assertNothingLeft(`inlet-${port}@localhost`);
  });
});
