/** The documentation: its commands do what it shows, its messages are the program's, and its endpoints are all there are. */
import assert from "node:assert/strict";
import { z } from "zod";
import { Connection } from "rabbitmq-client";
import { cleanUp, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
import { type ShellBlock, shellBlocks } from "./support/doc_blocks.ts";
import { DocShell } from "./support/doc_shell.ts";
import { InletProcess } from "./support/inlet.ts";
import { freePorts } from "./support/ports.ts";
import { TestService } from "./support/service.ts";

const ROOT = new URL("../", import.meta.url);

async function listFiles(...patterns: string[]): Promise<string[]> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...patterns];
  const { stdout } = await new Deno.Command("git", { args, cwd: ROOT }).output();
  const listed = [...new Set(new TextDecoder().decode(stdout).trim().split("\n"))].sort();
  const there = await Promise.all(listed.map((path) => Deno.stat(new URL(path, ROOT)).then(() => true, () => false)));
  return listed.filter((_, index) => there[index]);
}

const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));

const documents = await listFiles("*.md");
const blocks = (await Promise.all(documents.map(async (path) => shellBlocks(path, await read(path))))).flat();

const WAYS = "`sh run`, `sh background`, `sh tested-by: tests/…_test.ts` or `sh no-run: <reason>`";

Deno.test("each block of commands says how it is known to work", async () => {
  assert.ok(blocks.length > 0);
  for (const { document, line, proof, detail, text } of blocks) {
    const place = `${document}:${line}`;
    assert.ok(proof !== undefined, `${place}: say in the fence how the block is known to work: ${WAYS}`);
    if (proof !== "tested-by") continue;
    const test = await read(detail).catch(() => assert.fail(`${place}: there is no test ${detail}`));
    for (const [, task = ""] of text.matchAll(/\btask ([a-z:-]+)/g)) {
      assert.ok(
        test.includes(`"${task}"`) || test.includes(`task ${task}`),
        `${place}: ${detail} does not run ${task}`,
      );
    }
  }
});

/** What a reader would put in by hand: addresses of this machine's own. */
function madeLocal(block: ShellBlock, port: string, exchange: string): ShellBlock {
  const replaced = (text: string) =>
    text.replaceAll("npx -y deno@2.9.6", "deno")
      .replaceAll(/\btask send \w+ \w+/g, `$& --to http://localhost:${port}`)
      .replaceAll("localhost:3200", `localhost:${port}`)
      .replaceAll("amqp://guest:guest@localhost:5672", testAmqpUrl())
      .replaceAll("inlet.events", exchange)
      .replaceAll('"quick-start"', JSON.stringify(`${exchange}.quick-start`));
  const { text, prints, later } = block;
  return { ...block, text: replaced(text), prints: prints && replaced(prints), later: later && replaced(later) };
}

async function removeQueues(queue: string): Promise<void> {
  const connection = new Connection(testAmqpUrl());
  for (const suffix of ["", ".dead", ".retry.1000", ".retry.10000", ".retry.60000"]) {
    await connection.queueDelete({ queue: `${queue}${suffix}` });
  }
  await connection.close();
}

Deno.test("the commands of the documents do what is shown", async (t) => {
  const runs = Map.groupBy(blocks.filter(({ proof }) => proof === "run" || proof === "background"), (block) => {
    return block.document;
  });
  assert.ok(runs.has("README.md") && runs.has("docs/quick-start.md"));
  // For the documents that call a service and start none.
  await using shared = await InletProcess.start();
  for (const [document, own] of runs) {
    await t.step(document, async () => {
      const startsOne = own.some(({ proof, text }) => proof === "background" && /task start/.test(text));
      const port = startsOne ? String(freePorts(1)[0]) : new URL(shared.url).port;
      const exchange = uniqueExchange();
      try {
        await using shell = await DocShell.start({ PORT: port, AMQP_EXCHANGE: exchange, PUBLISH_TIMEOUT: "60s" });
        for (const block of own) await shell.run(madeLocal(block, port, exchange));
      } finally {
        if (startsOne) await removeQueues(`${exchange}.quick-start`);
        if (startsOne) await cleanUp(testAmqpUrl(), exchange);
      }
    });
  }
});

Deno.test("docs/api.md names every endpoint and every kind of problem", async () => {
  await using service = await TestService.start();
  const page = await read("docs/api.md");
  const { paths } = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(await (await service.app.request("/openapi.json")).json());
  const named = new Set(Array.from(page.matchAll(/^\| `([A-Z]+ [^`?]+)/gm), ([, text = ""]) => text));
  const present = Object.entries(paths).flatMap(([path, methods]) => {
    return Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`);
  });
  // The document does not describe itself.
  assert.deepEqual([...named].sort(), [...present, "GET /openapi.json"].sort());
  for (const [, code = ""] of (await read("server/api/problem.ts")).matchAll(/code: "([a-z-]+)"/g)) {
    assert.ok(page.includes(`\`${code}\``), `${code} is not in docs/api.md`);
  }
});

Deno.test("every message that docs/troubleshooting.md quotes is one that the program says", async () => {
  const page = await read("docs/troubleshooting.md");
  const headings = Array.from(page.matchAll(/^### `(.+)`/gm), ([, text = ""]) => text);
  const [, table = ""] = /^\| says .*\n\| -.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const reasons = Array.from(table.matchAll(/^\| (.+?) +\|/gm), ([, text = ""]) => text);
  assert.ok(reasons.length > 5);
  const quoted = [...headings, ...reasons];
  assert.ok(quoted.length > 30);
  const files = (await listFiles("*.ts", "*.tsx")).filter((path) => {
    return /^(?:server|connectors|routes|components|islands|[^/]+\.tsx?$)/.test(path) && !/_test\.tsx?$/.test(path);
  });
  const sources = await Promise.all(files.map(read));
  // A text that is too long for its line is written in several, joined with +.
  const said = sources.map((text) => text.replaceAll(/["'`] \+\s*["'`]/g, "").replaceAll("\\", "")).join("\n");
  for (const message of quoted) {
    const parts = message.split("…").map((part) => part.trim()).filter((part) => part !== "");
    assert.ok(parts.join("").length >= 12, `too little of a message: ${message}`);
    for (const part of parts) assert.ok(said.includes(part), `nothing says ${JSON.stringify(part)}: ${message}`);
  }
});

Deno.test("CI runs the commands that the README and the contributing guide name", async () => {
  const ci = await read(".ci/run");
  assert.match(await read("README.md"), /^npx -y deno@2\.9\.6 task start .*$/m);
  assert.match(await read("README.md"), /^npx -y deno@2\.9\.6 task test .*$/m);
  assert.match(ci, /npx -y deno@2\.9\.6 "\$@"/);
  assert.match(ci, /deno task ok/);
  assert.match(ci, /deno task test/);
});
