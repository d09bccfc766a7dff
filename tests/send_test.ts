/** What `deno task send` says to whoever sends a second event, or something that cannot be. */
import assert from "node:assert/strict";
import { InletProcess } from "./support/inlet.ts";
import { StreamClient } from "./support/streams.ts";

async function send(...args: string[]): Promise<{ code: number; said: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "send", ...args],
    cwd: new URL("../", import.meta.url),
  }).output();
  return { code, said: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

Deno.test("the send command sends a first event, and another with the secret that it told", async () => {
  await using inlet = await InletProcess.start({ env: { PUBLIC_URL: "https://in.example.com/behind/a/proxy" } });
  const push = ["github", "push", "--to", inlet.url];
  const first = await send(...push);
  assert.match(first.said, /200 \{"ok":true,"published":2\}/);
  const { workspaceId } = await (await fetch(`${inlet.url}/setup/status`)).json();
  using stream = await StreamClient.open(inlet.url, workspaceId);
  const secret = /--secret (\w+)/.exec(first.said)?.[1] ?? assert.fail(first.said);
  assert.match((await send(...push, "--secret", secret)).said, /200 /);
  assert.equal((await stream.until(2)).length, 2);

  const unknown = await send(...push);
  assert.equal(unknown.code, 1);
  assert.match(unknown.said, /pass its secret with --secret/);
  assert.match((await send(...push, "--secret", "short")).said, /The secret does not fit/);
});

Deno.test("the send command says which sources and examples there are, and that no service answers", async () => {
  for (
    const [args, said, expected] of [
      [[], /name a source and an example; see: deno task send --help/, 2],
      [["github", "push", "ping"], /name a source and an example; see/, 2],
      [["nowhere", "push"], /there is no source "nowhere" that sends, only device, gitea, github/, 2],
      [["github"], /name an example: .*push/, 2],
      [["github", "nothing"], /there is no example "nothing" of github/, 2],
      [["github", "push", "--url", "http://localhost:1"], /--url needs --secret/, 2],
      [["github", "push", "--to", "http://localhost:1"], /No service answers at http:\/\/localhost:1/, 1],
    ] as const
  ) {
    const { code, said: text } = await send(...args);
    assert.match(text, said);
    assert.equal(code, expected, text);
    assert.doesNotMatch(text, /\n\s+at /, "no stack trace");
  }
});
