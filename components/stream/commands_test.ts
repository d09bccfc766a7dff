import assert from "node:assert/strict";
import { sendCommand, streamCommand } from "./commands.ts";

/** What a shell gives to curl: its arguments, and its standard input. */
async function run(command: string, env: Record<string, string> = {}): Promise<{ args: string[]; input: string }> {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\0'; test -t 0 || cat; }\n${command}`;
  const file = await Deno.makeTempFile();
  await Deno.writeTextFile(file, script); // As an argument it could be too long, which is the point.
  const { stdout, success } = await new Deno.Command("sh", { args: [file], env, stdin: "null" }).output();
  await Deno.remove(file);
  assert.ok(success);
  const [args = "", input = ""] = new TextDecoder().decode(stdout).split("\0\0");
  return { args: args.split("\0"), input };
}

Deno.test("sendCommand hands an event to curl as it is, whatever is in it", async () => {
  const event = {
    text: "$(touch /tmp/x) `id` 'EOF' \"\\' !! \u0000\u001b[2J\u009b\u202E 🚀\nEND_OF_EVENT\n" + "x".repeat(300_000),
  };
  const { args, input } = await run(sendCommand(JSON.stringify(event)), { CONSUMER_URL: "http://localhost/a?b=c d" });
  assert.deepEqual(JSON.parse(input), event);
  assert.equal(args.at(-1), "http://localhost/a?b=c d");
});

Deno.test("streamCommand hands a URL to curl as it is, and an API key where people sign in", async () => {
  const url = "http://localhost/?a=1&b='$(id)'";
  assert.deepEqual((await run(streamCommand(url, false))).args, ["-N", url]);
  const { args } = await run(streamCommand(url, true), { INLET_KEY: "inlet_a" });
  assert.deepEqual(args, ["-N", "-H", "authorization: Bearer inlet_a", url]);
});
