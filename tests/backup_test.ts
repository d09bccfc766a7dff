/** Backups of a real service under load, and what comes back of them. */
import assert from "node:assert/strict";
import { z } from "zod";
import { feedOf } from "../connectors/calendar/testing.ts";
import { createSealer } from "../server/crypto/seal.ts";
import { sealCheck } from "../server/crypto/key.ts";
import { encryptionCheck } from "../server/store/encryption_check.ts";
import { keys } from "../server/store/keys.ts";
import { leaseStore } from "../server/store/leases.ts";
import { openStore } from "../server/store/open.ts";
import { Records } from "../server/store/records.ts";
import { prepareStore, readSchema } from "../server/store/schema.ts";
import { settleStore } from "../server/store/snapshot.ts";
import { ForeignConsumer, removeLiveExchange, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
import { InletProcess } from "./support/inlet.ts";
import { answerOf, LANE_SECRET, Lanes, namesIn, numberedDelivery } from "./support/lanes.ts";
import { freePorts } from "./support/ports.ts";
import { runTask, type TaskRun } from "./support/tasks.ts";

const KEY = new Uint8Array(32).fill(1);
const OTHER_KEY = new Uint8Array(32).fill(2).toBase64();

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "inlet-test-" });
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const namesOf = async (folder: string) => (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();

function succeeded({ code, stdout, stderr }: TaskRun): string {
  assert.equal(code, 0, stderr);
  return stdout;
}

/** A store as a start leaves it, with one record more, and a backup of it. */
async function smallBackup(folder: string): Promise<{ path: string; backup: string; env: Record<string, string> }> {
  const path = `${folder}/small.sqlite3`;
  {
    using kv = await openStore(path);
    await prepareStore(kv, { leases: leaseStore(kv, () => new Date()) });
    await encryptionCheck(kv).create(await sealCheck(await createSealer(KEY)));
    await new Records(kv).commit([{ key: ["note"], value: "as it was" }]);
  }
  settleStore(path);
  const env = { KV_PATH: path, ENCRYPTION_KEY: KEY.toBase64() };
  const backup = `${folder}/small.backup`;
  succeeded(await runTask(["backup", backup], env));
  return { path, backup, env };
}

Deno.test("what was accepted before a backup that is made under load is all there after a restore elsewhere", () =>
  inFolder(async (folder) => {
    const entry = (time: string) => ["UID:review", "SUMMARY:Review", `DTSTART:20990302T${time}00Z`, "DURATION:PT30M"];
    let feed = feedOf(entry("1000"));
    await using feeds = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => new Response(feed));
    const feedUrl = `http://127.0.0.1:${feeds.addr.port}/team.ics`;
    // A port for administrators only, where nobody listens.
    const nowhere = "amqp://127.0.0.1:1";
    const [original, elsewhere] = [`${folder}/original`, `${folder}/elsewhere`];
    await Deno.mkdir(original);

    let workspaceId: string, pathname: string, before: string[], all: string[];
    {
      await using inlet = await InletProcess.start({ folder: original, env: { AMQP_URL: nowhere } });
      workspaceId = await inlet.setUp();
      const webhookUrl = await inlet.enable(workspaceId, "github", { webhookSecret: LANE_SECRET });
      pathname = new URL(webhookUrl).pathname;
      await inlet.post("/connectors/calendar/configure", { workspaceId, enabled: true, config: { url: feedUrl } });
      await inlet.poll(workspaceId, "calendar");
      const lanes = new Lanes(webhookUrl, 4);
      await lanes.until(202, 100);
      before = lanes.accepted.flat();
      const env = { KV_PATH: `${original}/inlet.sqlite3` };
      const said = succeeded(await runTask(["backup", `${folder}/inlet.backup`], env));
      assert.match(
        said,
        /^backed up \d+ records of schema 1 to .*inlet\.backup, .*iB\nto restore it you need the .* key \w{8}, which/,
      );
      await lanes.until(202, 20);
      await lanes.stop();
      all = lanes.accepted.flat();
      assert.deepEqual([...lanes.statuses.keys()], [202], "a backup keeps no delivery from being taken");
    }
    assert.equal(((await Deno.stat(`${folder}/inlet.backup`)).mode ?? 0) & 0o777, 0o600);
    assert.deepEqual(await namesOf(folder), ["inlet.backup", "original"], "no draft is left behind");

    await Deno.mkdir(elsewhere);
    const restoreThere = () =>
      runTask(["restore", `${folder}/inlet.backup`], { KV_PATH: `${elsewhere}/inlet.sqlite3` });
    const refused = await restoreThere();
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^Cannot restore: there is no encryption key.*or put its key file at .*elsewhere\/encryption\.key\n$/,
    );
    await Deno.copyFile(`${original}/encryption.key`, `${elsewhere}/encryption.key`);
    assert.match(
      succeeded(await restoreThere()),
      /^restored \d+ records of schema 1, of .*Z, to .*elsewhere\/inlet\.sqlite3\n$/,
    );
    assert.deepEqual(await namesOf(elsewhere), ["encryption.key", "inlet.sqlite3"]);

    const exchange = uniqueExchange();
    await using consumer = await ForeignConsumer.bind(testAmqpUrl(), exchange);
    {
      const env = { AMQP_URL: testAmqpUrl(), AMQP_EXCHANGE: exchange };
      await using inlet = await InletProcess.start({ folder: elsewhere, env });
      while (!before.every((name) => namesIn(consumer.messages).includes(name))) {
        await consumer.until(consumer.messages.length + 1);
      }
      const again = await answerOf(`${inlet.url}${pathname}`, numberedDelivery(0, 0));
      assert.deepEqual(
        [again.status, again.duplicate],
        [200, true],
        "it knows what it accepted, and opens its secrets",
      );
      // The cursor is from before: only what changed since is told.
      feed = feedOf(entry("1100"));
      await inlet.poll(workspaceId, "calendar");
      while (!consumer.messages.some(({ routingKey }) => routingKey === "calendar.event.updated")) {
        await consumer.until(consumer.messages.length + 1);
      }
    }
    const stars = consumer.messages.filter(({ routingKey }) => routingKey === "github.star.created");
    const accepted = new Set(all);
    assert.deepEqual(namesIn(stars).filter((name) => !accepted.has(name)), [], "nothing is there by halves");
    assert.deepEqual(
      consumer.messages.map(({ routingKey }) => routingKey).filter((key) => key.startsWith("calendar.")),
      ["calendar.event.updated"],
    );
    await removeLiveExchange(testAmqpUrl(), exchange);
  }));

Deno.test("restore writes nothing of a backup that it cannot use, and says why", () =>
  inFolder(async (folder) => {
    const { backup, env } = await smallBackup(folder);
    const bytes = await Deno.readFile(backup);
    await Deno.writeFile(`${folder}/flipped`, bytes.with(9000, (bytes[9000] ?? 0) ^ 1));
    const header = bytes.indexOf(10) + 1;
    const newer = new TextDecoder().decode(bytes.subarray(0, header)).replace(
      /"version":1,"inlet":"[^"]+"/,
      '"version":9,"inlet":"2.0.0"',
    );
    await Deno.writeFile(
      `${folder}/newer`,
      new Uint8Array([...new TextEncoder().encode(newer), ...bytes.subarray(header)]),
    );
    const target = `${folder}/target`;
    const cases = [
      [`${folder}/flipped`, {}, /its checksum does not fit/],
      [`${folder}/newer`, {}, /^Cannot use the backup: it is of schema 9, .*Run Inlet 2\.0\.0 or newer/],
      [
        backup,
        { ENCRYPTION_KEY: OTHER_KEY },
        /sealed with the key \w{8}, and there is only \w{8}\. Set ENCRYPTION_KEY, or add/,
      ],
    ] as const;
    await Promise.all(cases.map(async ([file, change, expected]) => {
      const { code, stderr } = await runTask(["restore", file], {
        ...env,
        ...change,
        KV_PATH: `${target}/inlet.sqlite3`,
      });
      assert.equal(code, 1);
      assert.match(stderr, expected);
      assert.equal(stderr.trim().split("\n").length, 1);
    }));
    assert.deepEqual(await namesOf(target).catch(() => []), []);
    const old = { ENCRYPTION_KEY: OTHER_KEY, ENCRYPTION_KEYS_OLD: env.ENCRYPTION_KEY ?? "" };
    succeeded(await runTask(["restore", backup, "--check"], { ...env, ...old }));
  }));

Deno.test("restore replaces a store only when it is told to and nobody has it open, and keeps the old one", () =>
  inFolder(async (folder) => {
    const { path, backup, env } = await smallBackup(folder);
    const noteIn = async (file: string) => {
      using kv = await openStore(file);
      return (await new Records(kv).get(["note"], z.string()))?.value;
    };
    const kv = await openStore(path);
    await new Records(kv).commit([{ key: ["note"], value: "as it is now" }]);
    const refused = await runTask(["restore", backup], env);
    assert.match(refused.stderr, /^Cannot restore: there is a store at .*With --replace the backup takes its place/);
    const held = await runTask(["restore", backup, "--replace"], env);
    assert.deepEqual(
      [held.code, /a process has it open, stop the service first/.test(held.stderr)],
      [1, true],
      held.stderr,
    );
    assert.equal(await noteIn(path), "as it is now");
    kv.close();
    settleStore(path);

    const kept = /^the store that was there is (\S+) now/m;
    const [, old = ""] = kept.exec(succeeded(await runTask(["restore", backup, "--replace"], env))) ?? [];
    assert.deepEqual([await noteIn(path), await noteIn(old)], ["as it was", "as it is now"]);

    settleStore(path);
    await Deno.writeTextFile(path, "this is no database any more".repeat(500));
    const [, damaged = ""] = kept.exec(succeeded(await runTask(["restore", backup, "--replace"], env))) ?? [];
    assert.match(await Deno.readTextFile(damaged), /no database/);
    assert.equal(await noteIn(path), "as it was");
  }));

Deno.test("what is left beside a store that is gone does not get into the one that is restored", () =>
  inFolder(async (folder) => {
    const { path, backup, env } = await smallBackup(folder);
    const kv = await openStore(path);
    await new Records(kv).commit([{ key: ["note"], value: "not in the backup" }]);
    await Deno.copyFile(`${path}-wal`, `${folder}/left`);
    kv.close();
    settleStore(path);
    await Deno.remove(path);
    await Deno.rename(`${folder}/left`, `${path}-wal`);
    succeeded(await runTask(["restore", backup], env));
    using restored = await openStore(path);
    assert.equal((await new Records(restored).get(["note"], z.string()))?.value, "as it was");
  }));

Deno.test("backup and restore say how they are called, and what stands in the way", () =>
  inFolder(async (folder) => {
    const { backup, env } = await smallBackup(folder);
    const [unnamed, unknown, help, exists, nowhere, missing, check] = await Promise.all([
      runTask(["backup"], env),
      runTask(["restore", "a", "--force"], env),
      runTask(["restore", "--help"], env),
      runTask(["backup", backup], env),
      runTask(["backup", `${folder}/none/b`], env),
      runTask(["backup", `${folder}/b`], { KV_PATH: `${folder}/none.sqlite3` }),
      runTask(["restore", backup, "--check"], env),
    ]);
    assert.deepEqual([unnamed.code, unknown.code, help.code], [2, 2, 0]);
    assert.match(
      unnamed.stderr,
      /^Cannot run deno task backup: name one file to write; see: deno task backup --help\n$/,
    );
    assert.match(unknown.stderr, /--force/);
    assert.match(help.stdout, /--replace/);
    assert.match(exists.stderr, /^Cannot write .*: it is there already/);
    assert.match(nowhere.stderr, /^Cannot write .*: there is no folder .*none, make it first\n$/);
    assert.match(missing.stderr, /^Cannot copy the store .*none\.sqlite3: /);
    assert.match(succeeded(check), /^the backup is whole, and the encryption key opens it: 3 records of schema 1/);
    assert.deepEqual((await namesOf(folder)).filter((name) => name.includes("partial")), []);
  }));

Deno.test("backup and restore say in a line where they cannot write or read, and leave nothing there", () =>
  inFolder(async (folder) => {
    const { backup, env } = await smallBackup(folder);
    await Deno.writeTextFile(`${folder}/file`, "");
    const [inFile, onFolder, toSystem, ofNothing, ofFolder, intoFile, ontoFolder] = await Promise.all([
      runTask(["backup", `${folder}/file/b`], env),
      runTask(["backup", folder], env),
      runTask(["backup", "/proc/b"], env),
      runTask(["restore", `${folder}/none`], { ...env, KV_PATH: `${folder}/new/s` }),
      runTask(["restore", folder], { ...env, KV_PATH: `${folder}/new/s` }),
      runTask(["restore", backup], { ...env, KV_PATH: `${folder}/file/s` }),
      runTask(["restore", backup, "--replace"], { ...env, KV_PATH: folder }),
    ]);
    for (
      const [{ code, stderr }, said] of [
        [inFile, `Cannot write ${folder}/file/b: it is a file, or below one, where a folder is needed: name another`],
        [onFolder, `Cannot write ${folder}: it is a folder, name a new file in it`],
        [toSystem, 'Cannot run deno task backup: Deno lets no program use "/proc": name another place'],
        [ofNothing, `Cannot read ${folder}/none: there is no such file or folder`],
        [ofFolder, `Cannot read ${folder}: it is a folder, name the backup in it`],
        [intoFile, `Cannot write ${folder}/file/s (KV_PATH): it is a file, or below one, where a folder is needed`],
        [ontoFolder, `Cannot restore: ${folder} (KV_PATH) is a folder, name a file in it`],
      ] as const
    ) {
      assert.equal(code, 1);
      assert.ok(stderr.startsWith(said), stderr);
      assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
    }
    assert.deepEqual(await namesOf(folder), ["file", "small.backup", "small.sqlite3"]);
  }));

Deno.test("a backup and a restore that are ended halfway leave nothing behind", () =>
  inFolder(async (folder) => {
    const { path, env } = await smallBackup(folder);
    {
      using kv = await openStore(path);
      // More than a pipe holds that nobody reads.
      for (let part = 0; part < 8; part++) await kv.set(["part", part], new Uint8Array(60_000));
    }
    settleStore(path);
    await Deno.remove(`${folder}/small.backup`);
    for (
      const [args, made, signal, code] of [
        [["backup", "-"], "backup", "SIGTERM", 143],
        [["backup", "-"], "backup", "SIGHUP", 129],
        [["restore", "-", "--replace"], "received.backup", "SIGINT", 130],
      ] as const
    ) {
      const command = new Deno.Command(Deno.execPath(), {
        args: ["task", "--quiet", ...args],
        cwd: new URL("..", import.meta.url),
        env,
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const isUnderWay = async () => {
        const work = (await namesOf(folder)).find((name) => name.startsWith("inlet-"));
        return work !== undefined && (await namesOf(`${folder}/${work}`)).includes(made);
      };
      while (!await isUnderWay()) await new Promise((resolve) => setTimeout(resolve, 20));
      command.kill(signal);
      assert.equal((await command.status).code, code);
      await command.stdin.abort().catch(() => {});
      await command.stdout.cancel();
      assert.deepEqual(await namesOf(folder), ["small.sqlite3"], `${args[0]}, ${signal}`);
    }
  }));

Deno.test("the commands of docs/operating.md do what it says", () =>
  inFolder(async (folder) => {
    const { path, env } = await smallBackup(folder);
    const text = await Deno.readTextFile(new URL("../docs/operating.md", import.meta.url));
    const commands = Array.from(
      text.matchAll(/^ {4}((?:deno task (?:backup|restore|doctor)|head) ?.*)$/gm),
      ([, line]) => line,
    );
    const said: string[] = [];
    const [port = 0] = freePorts(1);
    for (const command of commands) {
      if (/ restore \S+$/.test(command ?? "")) await Deno.remove(path);
      const script = command?.replaceAll("/var/backups", folder).replace(/^deno/, `"${Deno.execPath()}"`) ?? "";
      const { code, stdout, stderr } = await new Deno.Command("bash", {
        args: ["-euc", script],
        cwd: new URL("..", import.meta.url),
        env: { ...env, PORT: String(port), NO_COLOR: "1" },
      }).output();
      assert.equal(code, 0, `${command}: ${new TextDecoder().decode(stderr)}`);
      said.push(new TextDecoder().decode(stdout));
    }
    const expected = [
      /^backed up 3 records/,
      /"keyIds":\["\w{8}"\]/,
      /^the backup is whole/,
      /^restored 3 records/,
      /^ok /,
      /^ok /,
    ];
    assert.equal(said.length, expected.length);
    for (const [index, pattern] of expected.entries()) assert.match(said[index] ?? "", pattern);
  }));

Deno.test("a process that was left running on a store that a newer program has brought forward says so", () =>
  inFolder(async (folder) => {
    await using inlet = await InletProcess.start({ folder });
    {
      using kv = await openStore(`${folder}/inlet.sqlite3`);
      await new Records(kv).commit([{ key: keys.schema(), value: { version: 7, inlet: "3.1.0" } }]);
    }
    const response = await fetch(`${inlet.url}/readyz`);
    assert.equal(response.status, 503);
    assert.match((await response.json()).checks.store.detail, /it is of schema 7, .*Run Inlet 3\.1\.0 or newer/);
  }));

Deno.test("a process that was left running with a key that has been replaced says so", () =>
  inFolder(async (folder) => {
    await using inlet = await InletProcess.start({ folder });
    const old = (await Deno.readTextFile(`${folder}/encryption.key`)).trim();
    const both = { ENCRYPTION_KEY: btoa("y".repeat(32)), ENCRYPTION_KEYS_OLD: old };
    succeeded(await runTask(["rotate-key"], { ...both, KV_PATH: `${folder}/inlet.sqlite3` }));
    const response = await fetch(`${inlet.url}/readyz`);
    assert.equal(response.status, 503);
    assert.match((await response.json()).checks.store.detail, /^Cannot use the store: its encryption key was replaced/);
  }));

Deno.test("a store of a newer program is refused by a start and by every command, with the program to run", () =>
  inFolder(async (folder) => {
    const { path, backup, env } = await smallBackup(folder);
    {
      using kv = await openStore(path);
      await new Records(kv).commit([{ key: keys.schema(), value: { version: 7, inlet: "3.1.0" } }]);
    }
    await using inlet = await InletProcess.spawn({ folder, env });
    const [started, rotated, backedUp] = await Promise.all([
      inlet.ended(),
      runTask(["rotate-key"], env),
      runTask(["backup", `${folder}/newer.backup`], env),
    ]);
    assert.deepEqual([started.code, rotated.code, backedUp.code], [1, 1, 1]);
    for (const said of [started.output, rotated.stderr, backedUp.stderr]) {
      assert.match(
        said,
        /^Cannot use the store: it is of schema 7, and .* knows 1\. Run Inlet 3\.1\.0 or newer, or restore/m,
      );
    }
    succeeded(await runTask(["restore", backup, "--replace"], env));
    using restored = await openStore(path);
    assert.equal((await readSchema(restored))?.version, 1);
  }));
