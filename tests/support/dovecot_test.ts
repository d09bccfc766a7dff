import assert from "node:assert/strict";
import { Dovecot } from "./dovecot.ts";
import { plainMail } from "./dovecot/mails.ts";
import { assertNothingLeft } from "./processes.ts";

Deno.test("private Dovecots run side by side, keep their mails over a kill, and leave nothing behind", async () => {
  const [one, other] = await Promise.all([Dovecot.start(), Dovecot.start()]);
  try {
    await one.deliver([plainMail(1)]);
    await one.kill();
    await one.kill();
    await assert.rejects(Deno.connect({ port: one.imapPort }), Deno.errors.ConnectionRefused);
    await one.restart();
    assert.deepEqual([(await one.files()).length, (await other.files()).length], [1, 0]);
  } finally {
    await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
  }
  for (const { folder } of [one, other]) await assertNothingLeft(folder);
});

Deno.test("a private Dovecot ends with the process that started it, even by kill -9", async () => {
  const module = new URL("./dovecot.ts", import.meta.url);
  const script = `import { Dovecot } from "${module}"; console.log((await Dovecot.start()).folder);
    await new Promise((resolve) => setTimeout(resolve, 60_000));`;
  const starter = new Deno.Command(Deno.execPath(), { args: ["eval", "--no-check", script], stdout: "piped" }).spawn();
  const reader = starter.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const folder = ((await reader.read()).value ?? "").trim();
  starter.kill("SIGKILL");
  await starter.status;
  await reader.cancel();
  assert.match(folder, /inlet-dovecot-/, "it was started");
  await assertNothingLeft(folder);
});
