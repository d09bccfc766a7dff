/** What the doctor says of a healthy service, and of broken ones, each with a real store and a real broker. */
import assert from "node:assert/strict";
import { z } from "zod";
import { sealCheck } from "../server/crypto/key.ts";
import { createSealer } from "../server/crypto/seal.ts";
import { encryptionCheck } from "../server/store/encryption_check.ts";
import { keys } from "../server/store/keys.ts";
import { leaseStore } from "../server/store/leases.ts";
import { openStore } from "../server/store/open.ts";
import { Records } from "../server/store/records.ts";
import { prepareStore } from "../server/store/schema.ts";
import { declareDirectExchange, ForeignConsumer } from "./support/broker.ts";
import { InletProcess } from "./support/inlet.ts";
import { answerOf, LANE_SECRET, numberedDelivery } from "./support/lanes.ts";
import { providePrivateNode } from "./support/rabbitmq.ts";
import { runTask } from "./support/tasks.ts";

const [KEY, OLD_KEY, OTHER_KEY] = [1, 2, 3].map((fill) => new Uint8Array(32).fill(fill));
const textOf = (key: Uint8Array | undefined) => key?.toBase64() ?? assert.fail();

const findingsSchema = z.array(z.object({
  about: z.string(),
  state: z.enum(["ok", "warning", "problem"]),
  detail: z.string(),
  remedy: z.string().optional(),
}));

/** What the doctor found that is not ok, a line each. */
async function complaints(env: Record<string, string>): Promise<{ code: number; lines: string[] }> {
  const { code, stdout, stderr } = await runTask(["doctor", "--json"], env);
  assert.equal(stderr, "");
  const findings = findingsSchema.parse(JSON.parse(stdout)).filter(({ state }) => state !== "ok");
  for (const { detail, remedy } of findings) assert.ok(remedy, `says what to do: ${detail}`);
  return { code, lines: findings.map(({ about, state, detail }) => `${state} ${about}: ${detail}`) };
}

function includes(lines: readonly string[], ...expected: readonly RegExp[]): void {
  for (const line of expected) assert.ok(lines.some((found) => line.test(found)), `${line} in\n${lines.join("\n")}`);
}

/** A store as a start leaves it, with the check and one value sealed with each of `sealing`. */
async function storeIn(folder: string, ...sealing: readonly (Uint8Array<ArrayBuffer> | undefined)[]): Promise<string> {
  await Deno.mkdir(folder, { mode: 0o700 });
  using kv = await openStore(`${folder}/inlet.sqlite3`);
  await prepareStore(kv, { leases: leaseStore(kv, () => new Date()) });
  for (const [index, key] of sealing.entries()) {
    const sealer = await createSealer(key ?? assert.fail());
    await encryptionCheck(kv).create(await sealCheck(sealer));
    const sealed = (await sealer.seal(new Uint8Array(9), "here")).toBase64();
    await new Records(kv).commit([{ key: keys.deliveryBody("w", `d${index}`), value: sealed }]);
  }
  return `${folder}/inlet.sqlite3`;
}

Deno.test("the doctor finds each fault of a set-up and says what to do, and none of a healthy one", async (test) => {
  const broker = await providePrivateNode();
  const folder = await Deno.makeTempDir({ prefix: "inlet-test-" });
  try {
    await broker.ctl("add_user", "narrow", "secret");
    await broker.ctl("set_permissions", "narrow", "^mine$", "^$", ".*");
    const narrow = broker.url.replace("guest:guest", "narrow:secret");
    // Nobody listens there, now or later: it is a port for administrators only.
    const PORT = "1";

    await test.step("a wrong value of a variable, without making a store", async () => {
      const env = { PORT: "http", ENCRYPTION_KEY: "hunter2", KV_PATH: `${folder}/none/s` };
      const { code, lines } = await complaints(env);
      assert.deepEqual([code, lines.length], [1, 2]);
      includes(lines, /^problem settings: PORT is "http": expected/, /^problem settings: ENCRYPTION_KEY is not usable/);
      await assert.rejects(Deno.stat(`${folder}/none`), Deno.errors.NotFound);
    });

    await test.step("a newer store, another key, another kind of exchange, another program at the port and the URL", async () => {
      await using other = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => new Response("Hello"));
      await declareDirectExchange(broker.url, "direct");
      const path = await storeIn(`${folder}/newer`, KEY);
      {
        using kv = await openStore(path);
        await new Records(kv).commit([{ key: keys.schema(), value: { version: 7, inlet: "3.1.0" } }]);
        // A UUIDv7 begins with its time: this one is of the year 2100.
        await new Records(kv).commit([{ key: keys.audit("03bb2cc3-d800-7000-8000-000000000000"), value: {} }]);
      }
      const { code, lines } = await complaints({
        KV_PATH: path,
        ENCRYPTION_KEY: textOf(OTHER_KEY),
        AMQP_URL: broker.url,
        AMQP_EXCHANGE: "direct",
        PORT: String(other.addr.port),
        PUBLIC_URL: `http://127.0.0.1:${other.addr.port}`,
      });
      assert.equal(code, 1);
      includes(
        lines,
        /^problem store: .*it is of schema 7.*Run Inlet 3\.1\.0 or newer/,
        /^problem key: it is not the one that the store was written with/,
        /^problem broker: there is an exchange direct, and it is no durable topic exchange/,
        /^problem service: another program than Inlet listens on 127\.0\.0\.1:/,
        /^problem public URL: .* answers 200, and it is not Inlet/,
        /^warning clock: the store's newest entry is of \d+ s from now/,
      );
    });

    await test.step("a port that only the service's log names", async () => {
      const env = { KV_PATH: `${folder}/none/s`, PORT: "0", PUBLIC_URL: "http://localhost:1" };
      const { code, lines } = await complaints(env);
      assert.equal(code, 0);
      includes(lines, /^warning service: took a free port, if it runs: PORT is 0/);
    });

    await test.step("a path that can be no store, a port where no HTTP is spoken", async () => {
      await Deno.writeTextFile(`${folder}/plain`, "");
      const below = await complaints({ KV_PATH: `${folder}/plain/s`, PORT });
      includes(below.lines, /^problem store: there is none at .*, and none can be made: it is a file, or below one/);
      const itself = await complaints({ KV_PATH: folder, PORT: new URL(broker.url).port });
      includes(itself.lines, /^problem store: Cannot open the store .*: it is a folder: name a file/);
      includes(itself.lines, /^problem service: cannot be asked at 127\.0\.0\.1:\d+: no HTTP is spoken there/);
      assert.deepEqual([below.code, itself.code], [1, 1]);
    });

    await test.step("a file that is no store, too little room, no broker", async () => {
      await Deno.mkdir(`${folder}/text`, { mode: 0o755 });
      await Deno.writeTextFile(`${folder}/text/inlet.sqlite3`, "this is a text, and no database".repeat(100));
      const { code, lines } = await complaints({
        KV_PATH: `${folder}/text/inlet.sqlite3`,
        AMQP_URL: `amqp://127.0.0.1:${PORT}`,
        PORT,
        SPOOL_MAX_BYTES: String(2 ** 52),
      });
      assert.equal(code, 1);
      includes(
        lines,
        /^problem store: Cannot open the store .*not a database/,
        /^warning store: other users of this machine can read it/,
        /^warning store: takes .* are free; a full spool takes/,
        /^problem broker: no connection to .*: nobody listens there/,
        /^warning public URL: .* does not answer/,
      );
    });

    await test.step("values that no key, or only an old one, opens; a user who may not publish", async () => {
      await using _consumer = await ForeignConsumer.bind(broker.url, "mine");
      const { code, lines } = await complaints({
        KV_PATH: await storeIn(`${folder}/keys`, KEY, OLD_KEY, OTHER_KEY),
        ENCRYPTION_KEY: textOf(KEY),
        ENCRYPTION_KEYS_OLD: `${textOf(OLD_KEY)},${textOf(new Uint8Array(32).fill(4))}`,
        AMQP_URL: `amqp://127.0.0.1:1,${narrow}`,
        AMQP_EXCHANGE: "mine",
        PORT,
      });
      assert.equal(code, 1);
      includes(
        lines,
        /^warning broker: no connection to 127\.0\.0\.1:1: nobody listens there/,
        /^problem broker: the user may not publish to mine: ACCESS_REFUSED/,
        /^warning key: 1 value is still sealed with the old key/,
        /^problem key: 1 value is sealed with the key \w{8}, which is not there/,
        /^warning key: a key in ENCRYPTION_KEYS_OLD is not needed any more/,
      );
    });

    await test.step("a key that all can read, a virtual host that is not there, an exchange that may not be declared", async () => {
      await Deno.mkdir(`${folder}/file`, { mode: 0o700 });
      await Deno.writeTextFile(`${folder}/file/encryption.key`, textOf(KEY));
      await Deno.chmod(`${folder}/file/encryption.key`, 0o644);
      const env = { KV_PATH: `${folder}/file/inlet.sqlite3`, PORT };
      const nowhere = await complaints({ ...env, AMQP_URL: `${broker.url}/nowhere` });
      assert.equal(nowhere.code, 1);
      includes(
        nowhere.lines,
        /^problem key: other users of this machine can read .*encryption\.key/,
        /^problem broker: no connection to .*no such virtual host/,
      );
      const refused = await complaints({ ...env, AMQP_URL: narrow, AMQP_EXCHANGE: "amq.topic" });
      includes(refused.lines, /^problem broker: the user may not declare amq\.topic: ACCESS_REFUSED/);
      const names = await Array.fromAsync(Deno.readDir(`${folder}/file`), ({ name }) => name);
      assert.deepEqual(names, ["encryption.key"], "it makes no store");
    });

    await test.step("nothing of a service that runs, and then what that knows of its broker", async () => {
      const env = { AMQP_URL: broker.url, AMQP_EXCHANGE: "healthy" };
      await using consumer = await ForeignConsumer.bind(broker.url, "healthy", "github.star.*");
      await using inlet = await InletProcess.start({ folder: `${folder}/healthy`, env });
      const webhookUrl = await inlet.enable(await inlet.setUp(), "github", { webhookSecret: LANE_SECRET });
      const send = async (number: number) => (await answerOf(webhookUrl, numberedDelivery(0, number))).status;
      assert.equal(await send(0), 200);
      const { port } = new URL(inlet.url);
      const where = { ...env, PORT: port, KV_PATH: `${folder}/healthy/inlet.sqlite3` };
      const { code, stdout } = await runTask(["doctor"], where);
      assert.equal(code, 0, stdout);
      assert.deepEqual(
        [...new Set(Array.from(stdout.matchAll(/^ok {7}(\S+( URL)?)/gm), ([, about]) => about))],
        ["deno", "settings", "store", "key", "broker", "service", "public URL", "clock"],
      );
      assert.deepEqual(stdout.match(/^(?:warning|problem) .*/gm), [
        `warning  settings    webhook URLs begin with http://localhost:${port}, which only this machine reaches`,
      ]);
      assert.match(stdout, /^ok {7}broker {6}connected to 127\.0\.0\.1:\d+, RabbitMQ \d+\./m);
      assert.match(stdout, /^ok {7}broker {6}exchange healthy is there, as it has to be, and may be written/m);
      assert.equal(await send(1), 200);
      await consumer.until(2);

      const unheard = numberedDelivery(0, 2);
      const headers = new Headers(unheard.headers);
      headers.set("x-github-event", "unheard_of");
      assert.equal((await answerOf(webhookUrl, { ...unheard, headers })).status, 200);
      await broker.ctl("set_vm_memory_high_watermark", "0");
      // The broker says so to whoever publishes.
      for (let number = 3; await send(number) !== 202; number++);
      // As nginx does, unless it is told otherwise: a Host of its own, and no header that tells of it.
      await using proxy = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url, method, body }) => {
        return fetch(new URL(new URL(url).pathname, inlet.url), { method, body });
      });
      const { lines } = await complaints({ ...where, PUBLIC_URL: `http://0.0.0.0:${proxy.addr.port}` });
      includes(
        lines,
        /^warning service: its broker: the broker takes no messages: low on memory/,
        /^warning service: (1 event waits|\d+ events wait) in the spool/,
        /^warning service: 1 event since its start reached no queue/,
        /^problem public URL: whoever comes that way may change everything/,
      );
      await broker.ctl("set_vm_memory_high_watermark", "0.8");
    });
  } finally {
    await broker.stop();
    await Deno.remove(folder, { recursive: true });
  }
});
