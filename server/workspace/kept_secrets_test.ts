import assert from "node:assert/strict";
import { calendar } from "../../connectors/calendar/mod.ts";
import { email } from "../../connectors/email/mod.ts";
import { sample } from "../../tests/support/sample.ts";
import { TestService } from "../../tests/support/service.ts";

async function start() {
  const service = await TestService.start({ connectors: [calendar, email, sample] });
  const workspaceId = await service.setUp();
  return {
    async configure(id: string, config: Record<string, unknown>, secrets?: Record<string, unknown>, enabled = true) {
      const response = await service.post(`/connectors/${id}/configure`, { workspaceId, enabled, config, secrets });
      const { errors = [] } = await response.json();
      return [response.status, ...errors.map(({ pointer }: { pointer: string }) => pointer)];
    },
    async configOf(id: string) {
      return (await (await service.app.request(`/connectors/${id}/config?workspaceId=${workspaceId}`)).json()).config;
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

const MAIL = { host: "imap.example.com", username: "mira" };
const AGAIN = [422, "/secrets/password"];

Deno.test("a stored password is not sent to another mail server: it has to be given again", async () => {
  await using service = await start();
  assert.deepEqual(await service.configure("email", MAIL, { password: "hunter2 and more" }), [200]);
  for (
    const change of [
      { host: "imap.example.net" },
      { port: 1993 },
      { tls: "starttls" },
      { host: "127.0.0.1", tls: "none" },
    ]
  ) {
    for (const enabled of [true, false]) {
      const outcome = await service.configure("email", { ...MAIL, ...change }, undefined, enabled);
      assert.deepEqual(outcome, AGAIN, JSON.stringify(change));
    }
    assert.deepEqual(await service.configOf("email"), MAIL, "nothing was saved");
  }
  // What is the default anyway, and what does not say where the password goes.
  const same = { ...MAIL, port: 993, tls: "implicit", mailbox: "Archive", username: "mira@example.com" };
  assert.deepEqual(await service.configure("email", same), [200]);
  assert.deepEqual(await service.configure("email", { ...MAIL, host: "imap.example.net" }, { password: "new" }), [200]);
  assert.deepEqual(await service.configure("email", MAIL, { password: null }, false), [200]);
  assert.deepEqual(await service.configure("email", { ...MAIL, host: "imap.example.org" }, {}, false), [200]);
});

Deno.test("a stored password is not sent to another calendar's server, in whichever setting its address is", async () => {
  await using service = await start();
  const account = { username: "mira", kind: "caldav" };
  const there = { ...account, url: "https://cal.example.com/mira/" };
  assert.deepEqual(await service.configure("calendar", there, { password: "hunter2 and more" }), [200]);
  const elsewhere = "https://cal.example.net/mira/";
  assert.deepEqual(await service.configure("calendar", { ...account, url: elsewhere }), AGAIN);
  assert.deepEqual(await service.configure("calendar", account, { url: elsewhere }), AGAIN);
  assert.deepEqual(await service.configure("calendar", { ...there, lookAheadDays: 9 }), [200]);
  assert.deepEqual(await service.configure("calendar", account, { url: elsewhere, password: "again" }), [200]);
  assert.deepEqual(await service.configure("calendar", account, { url: `${elsewhere}2` }), AGAIN);
});
