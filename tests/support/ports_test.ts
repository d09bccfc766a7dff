import assert from "node:assert/strict";
import { freePorts } from "./ports.ts";

Deno.test("freePorts gives different ports that can be listened on, below those of outgoing connections", () => {
  const ports = freePorts(5);
  assert.equal(new Set(ports).size, 5);
  for (const port of ports) {
    assert.ok(port >= 20_000 && port < 32_000, `${port}`);
    Deno.listen({ hostname: "127.0.0.1", port }).close();
  }
});

Deno.test("freePorts gives no port again while there are others, though nobody listens on it", () => {
  const ports = Array.from({ length: 90 }, () => freePorts(1)[0]);
  assert.equal(new Set(ports).size, 90);
});

Deno.test("freePorts gives another file other ports, as long as it lives", async () => {
  const module = new URL("./ports.ts", import.meta.url);
  const script =
    `import { freePorts } from "${module}"; console.log(freePorts(90).join()); await Deno.stdin.read(new Uint8Array(1));`;
  const others = Array.from({ length: 3 }, () => {
    return new Deno.Command(Deno.execPath(), { args: ["eval", "--no-check", script], stdin: "piped", stdout: "piped" })
      .spawn();
  });
  const lines = await Promise.all(others.map(async ({ stdout, stdin }) => {
    const reader = stdout.pipeThrough(new TextDecoderStream()).getReader();
    return {
      ports: (await reader.read()).value?.trim().split(",") ?? [],
      end: () => Promise.all([reader.cancel(), stdin.close()]),
    };
  }));
  const all = [...lines.flatMap(({ ports }) => ports), ...freePorts(90).map(String)];
  assert.equal(new Set(all).size, 4 * 90);
  await Promise.all([...lines.map(({ end }) => end()), ...others.map(({ status }) => status)]);
});
