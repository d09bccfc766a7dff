/**
 * Runs the tests with a RabbitMQ beside them: `run_tests.ts [arguments of deno test]`. All tests of this run share the
 * one RabbitMQ, by `TEST_AMQP_URL`; it ends with the run, whatever ends that, and so does what tests have left running. A
 * test that hangs fails after `TEST_LIMIT_MS`. Without arguments it runs all tests, their files side by side. The last line
 * says how the tests went, as `12 passed, 0 failed`, and the exit code is that of the tests, or 1 if no test was run.
 *
 * @module
 */

import { guardCleanup } from "../tests/support/cleanup_guard.ts";
import { provideRabbitmq, type Rabbitmq } from "../tests/support/rabbitmq.ts";
import { runCommand } from "./cli/command.ts";
import { exitCode, formatCounts, parseSummary, type TestCounts } from "./test_run/summary.ts";

const HELP = `Runs the tests against a RabbitMQ: an installed one, one that apt-get installs, or one in Docker.

  deno task test [ARGUMENTS OF deno test]

  TEST_AMQP_URL   in the environment: a RabbitMQ that is there already
  DENO_JOBS       in the environment: how many files of tests run side by side; default: one more than there are cores
  TEST_LIMIT_MS   in the environment: milliseconds after which a test that hangs fails; default: 1 hour

  deno task test tests/spool_test.ts --filter "killed"

Without arguments it runs all tests, several files side by side. All arguments go to deno test, which then runs one file
after another, unless they have --parallel. Its own are told by: deno test --help`;

async function print(to: typeof Deno.stdout | typeof Deno.stderr, line: string): Promise<void> {
  await to.write(new TextEncoder().encode(`${line}\n`));
}

/** Passes output on as it comes, and reads the counts from the last summary in it. */
async function passOn(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<TestCounts | undefined> {
  const [shown, read] = output.tee();
  const showing = shown.pipeTo(Deno.stdout.writable, { preventClose: true });
  let counts: TestCounts | undefined;
  let unfinished = "";
  for await (const text of read.pipeThrough(new TextDecoderStream())) {
    const lines = `${unfinished}${text}`.split("\n");
    unfinished = lines.pop() ?? "";
    for (const line of lines) counts = parseSummary(line) ?? counts;
  }
  await showing;
  if (unfinished !== "") await print(Deno.stdout, "");
  return counts;
}

/** The service does not start without its dashboard. */
async function buildDashboard(): Promise<void> {
  const cwd = new URL("..", import.meta.url);
  const build = new Deno.Command(Deno.execPath(), { args: ["task", "build", "--if-stale"], cwd, stdout: "null" });
  const { success } = await build.spawn().status;
  if (!success) throw new Error("Cannot test: the dashboard cannot be built");
}

/** Half of what tests do is waiting, for brokers, browsers and processes. */
const JOBS = String(navigator.hardwareConcurrency + 1);

const LIMIT = new URL("../tests/support/test_limit.ts", import.meta.url).href;

/** Checks the types of all files, which takes no time where `deno task ok` has just done so. */
async function checkTypes(): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), { args: ["check"], stdout: "null" }).spawn().status;
  if (!success) throw new Error("Cannot test: the types do not fit, see above");
}

/**
 * Resolves with the code of tests that lead a group of processes, once the others of the group have ended too, whatever
 * ends this process meanwhile: a test that hung leaves what it started, and that may hold our output open.
 */
async function endOf(tests: Deno.ChildProcess): Promise<number> {
  const others = guardCleanup('kill -s KILL -- "-$1"', [String(tests.pid)]);
  const { code } = await tests.status;
  await others.release();
  return code;
}

/** Runs `deno test` with `testArgs`, and gives the code to end with. Prints the counts in any case. */
async function runTests(testArgs: readonly string[]): Promise<number> {
  let tests: Deno.ChildProcess | undefined;
  let stoppedBy: number | undefined;
  const stopOn = (signal: Deno.Signal, code: number) =>
    Deno.addSignalListener(signal, () => {
      if (!tests) Deno.exit(code); // RabbitMQ is only starting, or already ending. It ends with us.
      stoppedBy = code;
      tests.kill("SIGTERM");
    });
  stopOn("SIGINT", 130);
  stopOn("SIGTERM", 143);

  let counts: TestCounts = { passed: 0, failed: 0, skipped: 0 };
  let rabbitmq: Rabbitmq | undefined;
  try {
    // First: a dashboard that is built now would be one file more than those that were checked.
    if (testArgs.length === 0) await checkTypes();
    await buildDashboard();
    rabbitmq = await provideRabbitmq();
    const env = {
      TEST_AMQP_URL: rabbitmq.url,
      DENO_JOBS: Deno.env.get("DENO_JOBS") || JOBS,
      ...Deno.stdout.isTerminal() ? { FORCE_COLOR: "1" } : {},
    };
    const args = testArgs.length > 0 ? testArgs : ["--no-check", "--parallel"];
    tests = new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--preload", LIMIT, ...args],
      env,
      stdout: "piped",
      detached: true,
    }).spawn();
    const ended = endOf(tests);
    counts = await passOn(tests.stdout) ?? counts;
    const code = await ended;
    return stoppedBy ?? exitCode(code, counts);
  } catch (error) {
    await print(Deno.stderr, Deno.inspect(error));
    return 1;
  } finally {
    tests = undefined;
    await rabbitmq?.stop();
    await print(Deno.stdout, formatCounts(counts));
  }
}

if (import.meta.main) await runCommand({ task: "test", help: HELP }, runTests);
