/** GitLab's webhooks against the running service and a real broker. */
import assert from "node:assert/strict";
import { exampleSettings, readFixture } from "../connectors/kit/fixtures.ts";
import { gitlab } from "../connectors/gitlab/mod.ts";
import { assertFixturesArrive } from "./support/fixture_run.ts";
import { InletProcess } from "./support/inlet.ts";

const TOKEN = "a secret shared with GitLab";

Deno.test("every GitLab fixture arrives as its events at a foreign consumer, and again brings no new ids", async () => {
  await assertFixturesArrive(gitlab);
});

Deno.test("a GitLab without signing tokens is let in by its secret token until a signing token is set", async () => {
  await using inlet = await InletProcess.start({ env: {} });
  const workspaceId = await inlet.setUp();
  const url = await inlet.enable(workspaceId, "gitlab", { secretToken: TOKEN });
  const { headers, body } = await readFixture("gitlab", "push", "a-delivery");
  const statusWith = async (token: string) => {
    const response = await fetch(url, { method: "POST", headers: [...headers, ["x-gitlab-token", token]], body });
    await response.body?.cancel();
    return response.status;
  };
  assert.deepEqual([await statusWith(TOKEN), await statusWith(`${TOKEN}!`)], [200, 401]);
  const { secrets: { signingToken } } = await exampleSettings(gitlab);
  await inlet.enable(workspaceId, "gitlab", { signingToken });
  assert.equal(await statusWith(TOKEN), 401, "no downgrade");
  const { output } = await inlet.stop();
  assert.ok(!output.includes(TOKEN));
});
