/** What a copy of the store's files reveals, and how its key is replaced, with the real process. */
import assert from "node:assert/strict";
import { createSealer } from "../server/crypto/seal.ts";
import { keys } from "../server/store/keys.ts";
import { openStore } from "../server/store/open.ts";
import { InletProcess } from "./support/inlet.ts";
import { sign } from "./support/sign.ts";

const KEYS = [1, 2].map((fill) => new Uint8Array(32).fill(fill).toBase64());
const [FIRST = "", SECOND = ""] = KEYS;
const SECRET = "a-secret-shared-with-GitHub-in-a-test";
const PAYLOAD = "a-login-that-only-the-payload-holds";
const STAR = JSON.stringify({
  action: "created",
  starred_at: null,
  repository: { id: 1, full_name: "acme/rover", private: false, html_url: "https://github.com/acme/rover" },
  sender: { id: 7, login: PAYLOAD, type: "User" },
});

async function deliver(url: string, deliveryId: string): Promise<number> {
  const headers = {
    "content-type": "application/json",
    "x-github-event": "star",
    "x-github-delivery": deliveryId,
    "x-hub-signature-256": `sha256=${sign(SECRET, STAR)}`,
  };
  const response = await fetch(url, { method: "POST", headers, body: STAR });
  await response.body?.cancel();
  return response.status;
}

interface Said {
  readonly code: number;
  readonly said: string;
}

async function run(task: readonly string[], folder: string, env: Record<string, string>): Promise<Said> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", ...task],
    env: { KV_PATH: `${folder}/inlet.sqlite3`, ...env },
  }).output();
  return { code, said: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

function rotate(folder: string, env: Record<string, string>): Promise<Said> {
  return run(["rotate-key"], folder, env);
}

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "inlet-test-" });
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a copy of the store without the key reveals no secret, token or kept payload", () =>
  inFolder(async (folder) => {
    const env = { ENCRYPTION_KEY: FIRST, ADMIN_TOKEN: "the-admin-token-of-a-test" };
    await using inlet = await InletProcess.start({ folder, env });
    const headers = { authorization: `Bearer ${env.ADMIN_TOKEN}`, "content-type": "application/json" };
    const post = async (path: string, body: unknown) =>
      await (await fetch(`${inlet.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
    const { workspaceId } = await post("/workspaces", { workspaceName: "Acme" });
    const { secret: apiKey } = await post(`/workspaces/${workspaceId}/keys`, { name: "key", scope: "read" });
    const change = { workspaceId, enabled: true, secrets: { webhookSecret: SECRET } };
    const { webhookUrl } = await post("/connectors/github/configure", change);
    assert.equal(await deliver(webhookUrl, "d-1"), 200);
    await inlet.stop();

    const token = new URL(webhookUrl).pathname.split("/").at(-1) ?? assert.fail();
    const secrets = [SECRET, PAYLOAD, token, apiKey, env.ADMIN_TOKEN, FIRST];
    for await (const { name } of Deno.readDir(folder)) {
      const bytes = await Deno.readFile(`${folder}/${name}`);
      const text = new TextDecoder("latin1").decode(bytes);
      for (const secret of secrets) assert.ok(!text.includes(secret), `${name} holds ${secret}`);
      assert.ok(name !== "inlet.sqlite3" || text.includes("github"), "what is not secret can be found so");
    }
  }));

Deno.test("the key is replaced while everything goes on, and the old one is needed no more", () =>
  inFolder(async (folder) => {
    const first = await InletProcess.start({ folder, env: { ENCRYPTION_KEY: FIRST } });
    const workspaceId = await first.setUp();
    const pathname = new URL(await first.enable(workspaceId, "github", { webhookSecret: SECRET })).pathname;
    assert.equal(await deliver(`${first.url}${pathname}`, "d-1"), 200);
    await first.stop();

    await using refused = await InletProcess.spawn({ folder, env: { ENCRYPTION_KEY: SECOND } });
    assert.match((await refused.ended()).output, /name it in ENCRYPTION_KEYS_OLD/);
    const both = { ENCRYPTION_KEY: SECOND, ENCRYPTION_KEYS_OLD: FIRST };
    const second = await InletProcess.start({ folder, env: both });
    assert.equal(await deliver(`${second.url}${pathname}`, "d-2"), 200);
    {
      using kv = await openStore(`${folder}/inlet.sqlite3`);
      const sealed = (await (await createSealer(Uint8Array.fromBase64(FIRST))).seal(new Uint8Array(), "")).toBase64();
      await kv.set(keys.deadLetter(workspaceId, "damaged"), new TextEncoder().encode(JSON.stringify({ sealed })));
    }
    const rotated = await rotate(folder, both);
    assert.equal(rotated.code, 0, rotated.said);
    assert.match(rotated.said, /^Cannot read \["dead_letter",.*"damaged"\] in the store: /m);
    assert.match(rotated.said, /^1 record cannot be read, see above, and stays as it is$/m);
    assert.match(
      rotated.said,
      /does not need ENCRYPTION_KEYS_OLD any more; a backup that has them asks for the old key$/m,
    );
    assert.match(rotated.said, /the settings of 1 connectors, the bodies of 1 deliveries/);
    assert.match((await rotate(folder, both)).said, /of 0 connectors, the bodies of 0 deliveries/);
    assert.equal(await deliver(`${second.url}${pathname}`, "d-3"), 200);
    await second.stop();

    const third = await InletProcess.start({ folder, env: { ENCRYPTION_KEY: SECOND } });
    assert.equal(await deliver(`${third.url}${pathname}`, "d-4"), 200);
    const page = await (await fetch(`${third.url}/dashboard/deliveries`, { headers: { accept: "text/html" } })).text();
    const ids = [...page.matchAll(/\/dashboard\/deliveries\/([0-9a-f-]{36})/g)].map(([, id]) => id);
    assert.ok(ids.length >= 4);
    for (const id of new Set(ids)) {
      const detail = await (await fetch(`${third.url}/dashboard/deliveries/${id}?preview=1`)).text();
      assert.ok(!detail.includes("sealed with another key"), detail);
    }
    const changes = await (await fetch(`${third.url}/dashboard/audit?all`)).text();
    assert.match(changes, /deno task rotate-key[\s\S]*replaced the encryption key/);
    await third.stop();

    const backup = `${folder}/inlet.backup`;
    assert.equal((await run(["backup", backup], folder, {})).code, 0);
    const check = (env: Record<string, string>) => run(["restore", "--check", backup], folder, env);
    assert.match((await check({ ENCRYPTION_KEY: SECOND })).said, /add it to ENCRYPTION_KEYS_OLD/);
    assert.equal((await check(both)).code, 0);

    const wrong = await rotate(folder, { ENCRYPTION_KEY: FIRST });
    assert.deepEqual([wrong.code, /Cannot start: the encryption key is not the one/.test(wrong.said)], [1, true]);
    const nowhere = await rotate(`${folder}/none`, both);
    assert.deepEqual([nowhere.code, /there is no store at .*none/.test(nowhere.said)], [1, true], nowhere.said);
    const unusable = await rotate(folder, { ENCRYPTION_KEY: SECOND, ENCRYPTION_KEYS_OLD: "hunter2" });
    assert.match(unusable.said, /ENCRYPTION_KEYS_OLD is not usable: expected 32 bytes/);
    assert.ok(!unusable.said.includes("hunter2"));
  }));
