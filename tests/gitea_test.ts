/** Gitea's and Forgejo's webhooks against the running service and a real broker. */
import { gitea } from "../connectors/gitea/mod.ts";
import { assertFixturesArrive } from "./support/fixture_run.ts";

Deno.test("every Gitea fixture, form or JSON, arrives as its events, and again brings no new ids", async () => {
  await assertFixturesArrive(gitea);
});
