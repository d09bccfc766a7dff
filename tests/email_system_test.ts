/** Mails end to end: the real service, a real mail server, a real broker, and a consumer that nobody told anything. */
import { emailMessagePayloadSchema, isEmailEventType } from "@inlet/email-events";
import { normalizedEventSchema } from "@inlet/events-core";
import assert from "node:assert/strict";
import { z } from "zod";
import { ForeignConsumer, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
import { Dovecot } from "./support/dovecot.ts";
import { plainMails } from "./support/dovecot/mails.ts";
import { InletProcess } from "./support/inlet.ts";

const MAILS = 130;

/** Copies a store that nobody has open. */
async function copyFolder(from: string): Promise<string> {
  const to = await Deno.makeTempDir({ prefix: "inlet-test-" });
  for await (const { name } of Deno.readDir(from)) await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  return to;
}

Deno.test("every mail arrives at a foreign consumer once, with the same id when its page is polled again", async () => {
  const amqpUrl = testAmqpUrl();
  const exchange = uniqueExchange();
  const env = { AMQP_URL: amqpUrl, AMQP_EXCHANGE: exchange };
  await using dovecot = await Dovecot.start();
  await using consumer = await ForeignConsumer.bind(amqpUrl, exchange, "email.#");
  const folder = await Deno.makeTempDir({ prefix: "inlet-test-" });
  let before = "";
  try {
    let workspaceId = "";
    {
      await using inlet = await InletProcess.start({ env, folder });
      workspaceId = await inlet.setUp();
      const { username, password, imapsPort, certificateAuthority } = dovecot;
      await dovecot.deliver(plainMails(1001, 1010));
      // So that, later, nothing but this test polls.
      const schedule = "0 0 1 1 *";
      const config = { host: "localhost", port: imapsPort, username, certificateAuthority, schedule };
      const change = { workspaceId, enabled: true, config, secrets: { password } };
      assert.deepEqual(await inlet.post("/connectors/email/configure", change), { ok: true, webhookUrl: null });
      assert.equal(await inlet.poll(workspaceId, "email"), 0, "what is there already is no event");
    }
    before = await copyFolder(folder);
    await dovecot.deliver(plainMails(1, MAILS));
    {
      await using inlet = await InletProcess.start({ env, folder });
      await dovecot.kill();
      const refused = z.object({ status: z.literal(502), detail: z.string() })
        .parse(await inlet.post("/connectors/email/poll", { workspaceId }));
      assert.match(refused.detail, /^Cannot reach the mail server: localhost:\d+ refuses connections/);
      await dovecot.restart();
      assert.equal(await inlet.poll(workspaceId, "email"), MAILS);
      assert.equal(await inlet.poll(workspaceId, "email"), 0, "and none a second time");
      const { code, output } = await inlet.stop();
      assert.equal(code, 0, output);
      for (const secret of [dovecot.password, "ann@example.com", "Mail 1"]) assert.ok(!output.includes(secret), output);
    }
    const first = (await consumer.until(MAILS)).map(({ text }) => normalizedEventSchema.parse(JSON.parse(text)));
    assert.equal(new Set(first.map(({ id }) => id)).size, MAILS);
    const subjects = first.map(({ payload }) => emailMessagePayloadSchema.parse(payload).subject);
    assert.deepEqual(subjects, plainMails(1, MAILS).map((_, index) => `Mail ${index + 1}`));
    assert.ok(first.every((event) => isEmailEventType(event.type) && event.workspaceId === workspaceId));
    {
      // As after a crash that came before the cursor was saved.
      await using inlet = await InletProcess.start({ env, folder: before });
      assert.equal(await inlet.poll(workspaceId, "email"), MAILS);
    }
    const all = (await consumer.until(2 * MAILS)).map(({ text }) => normalizedEventSchema.parse(JSON.parse(text)));
    assert.deepEqual(all.slice(MAILS).map(({ id }) => id), first.map(({ id }) => id));
  } finally {
    for (const each of [folder, before]) if (each !== "") await Deno.remove(each, { recursive: true });
  }
});
