/** A secret and a URL are replaced while GitHub keeps sending, with the real process: nothing is refused in between. */
import assert from "node:assert/strict";
import { InletProcess } from "./support/inlet.ts";
import { sign } from "./support/sign.ts";
import { StreamClient } from "./support/streams.ts";

const [OLD, NEW] = ["the secret that GitHub still has", "the secret that it gets next"] as const;
const STAR = JSON.stringify({
  action: "created",
  starred_at: null,
  repository: { id: 1, full_name: "acme/rover", private: false, html_url: "https://github.com/acme/rover" },
  sender: { id: 7, login: "mira", type: "User" },
});

async function deliver(url: string, secret: string): Promise<number> {
  const headers = {
    "content-type": "application/json",
    "x-github-event": "star",
    "x-github-delivery": crypto.randomUUID(),
    "x-hub-signature-256": `sha256=${sign(secret, STAR)}`,
  };
  const response = await fetch(url, { method: "POST", headers, body: STAR });
  await response.body?.cancel();
  return response.status;
}

function urlIn(saved: unknown): string {
  assert.ok(typeof saved === "object" && saved !== null && "webhookUrl" in saved, JSON.stringify(saved));
  return String(saved.webhookUrl);
}

Deno.test("deliveries signed with the old secret and sent to the old URL arrive until the overlap ends", async () => {
  const folder = await Deno.makeTempDir({ prefix: "inlet-test-" });
  try {
    let workspaceId = "";
    let [oldUrl, newUrl] = ["", ""];
    // The webhook URLs name the port, which is another one after the restart.
    const env = { PUBLIC_URL: "http://inlet.example" };
    const at = (inlet: InletProcess, url: string) => inlet.url + new URL(url).pathname;
    {
      await using inlet = await InletProcess.start({ folder, env });
      workspaceId = await inlet.setUp();
      oldUrl = await inlet.enable(workspaceId, "github", { webhookSecret: OLD });
      using stream = await StreamClient.open(inlet.url, workspaceId);
      assert.equal(await deliver(at(inlet, oldUrl), OLD), 200);

      const secrets = { webhookSecret: NEW };
      await inlet.post("/connectors/github/configure", {
        workspaceId,
        enabled: true,
        secrets,
        keepOldSecretsFor: "1h",
      });
      newUrl = urlIn(await inlet.post("/connectors/github/renew-url", { workspaceId, keepOldFor: "1h" }));
      for (const url of [oldUrl, newUrl]) {
        for (const secret of [OLD, NEW]) assert.equal(await deliver(at(inlet, url), secret), 200);
        assert.equal(await deliver(at(inlet, url), "somebody else's secret"), 401);
      }
      assert.equal((await stream.until(5)).length, 5);
    }
    await using inlet = await InletProcess.start({ folder, env });
    assert.equal(await deliver(at(inlet, oldUrl), OLD), 200, "the overlap outlives a restart");
    assert.deepEqual(await inlet.post("/connectors/github/end-overlap", { workspaceId }), { ok: true });
    assert.equal(await deliver(at(inlet, oldUrl), NEW), 404);
    assert.equal(await deliver(at(inlet, newUrl), OLD), 401);
    assert.equal(await deliver(at(inlet, newUrl), NEW), 200);

    const { output } = await inlet.stop();
    for (const secret of [OLD, NEW, new URL(oldUrl).pathname, new URL(newUrl).pathname]) {
      assert.ok(!output.includes(secret), `the log holds ${secret}`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
