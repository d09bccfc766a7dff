/** The README's commands do what it says. */
import assert from "node:assert/strict";
import { InletProcess } from "./support/inlet.ts";
import { StreamClient } from "./support/streams.ts";

const readme = await Deno.readTextFile(new URL("../README.md", import.meta.url));

function blockAfter(heading: string, index: number): string {
  const section = readme.slice(readme.indexOf(`## ${heading}`));
  return Array.from(section.matchAll(/```sh\n([\s\S]*?)```/g), ([, block]) => block ?? "")[index] ?? assert.fail();
}

async function bash(script: string): Promise<string> {
  const { stdout, stderr } = await new Deno.Command("bash", {
    args: ["-euc", script],
    stdout: "piped",
    stderr: "piped",
  })
    .output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

Deno.test("the README's curl lines send a first event", async () => {
  await using inlet = await InletProcess.start();
  const script = blockAfter("Send your first event", 2).replaceAll("localhost:3200", new URL(inlet.url).host);
  assert.equal(script.trim().split("\n").length, 5);
  for (let time = 0; time < 2; time++) assert.equal((await bash(script)).trim(), '{"ok":true,"published":1}');
});

Deno.test("the README's send command sends a first event, and another with the secret that it told", async () => {
  await using inlet = await InletProcess.start();
  const command = blockAfter("Send your first event", 1).trim().replace("npx -y deno@2.9.6", Deno.execPath());
  const first = await bash(`${command} --to ${inlet.url}`);
  assert.match(first, /200 \{"ok":true,"published":2\}/);
  const { workspaceId } = await (await fetch(`${inlet.url}/setup/status`)).json();
  using stream = await StreamClient.open(inlet.url, workspaceId);
  const secret = /--secret (\w+)/.exec(first)?.[1];
  assert.match(await bash(`${command} --to ${inlet.url} --secret ${secret}`), /200 /);
  assert.equal((await stream.until(2)).length, 2);
  assert.match(await bash(`${command} --to ${inlet.url} || true`), /pass its secret with --secret/);
  assert.match(await bash(`${command} --to ${inlet.url} --secret short || true`), /The secret does not fit/);
  const byHand = blockAfter("Send your first event", 2).replaceAll("localhost:3200", new URL(inlet.url).host);
  assert.equal((await bash(byHand)).trim(), '{"ok":true,"published":1}');
  const watch = blockAfter("Send your first event", 0).trim().replaceAll("localhost:3200", new URL(inlet.url).host);
  const watched = bash(`${watch} | head -n 3`);
  let seen = "";
  watched.then((text) => seen = text);
  while (seen === "") await bash(byHand);
  assert.match(seen, /^retry: 3000\n\nid: /);
});

Deno.test("CI runs the commands that the README names", async () => {
  const ci = await Deno.readTextFile(new URL("../.ci/run", import.meta.url));
  assert.match(blockAfter("Start", 0), /^npx -y deno@2\.9\.6 task start .*\nnpx -y deno@2\.9\.6 task test /);
  assert.match(ci, /npx -y deno@2\.9\.6 "\$@"/);
  assert.match(ci, /deno task ok/);
  assert.match(ci, /deno task test/);
});
