/** The published packages as somebody else gets them: installed from tarballs into a project of Node's own. */
import examples from "@octokit/webhooks-examples" with { type: "json" };
import { build, stop } from "esbuild";
import assert from "node:assert/strict";
import { run } from "../scripts/cli/run.ts";
import { packAll } from "../scripts/pack/tarballs.ts";
import { acceptedEvents } from "./support/accepted.ts";
import { cleanUp, ForeignConsumer, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
import { findBun } from "./support/bun.ts";
import { InletProcess } from "./support/inlet.ts";
import { type NodeProject, nodeProject } from "./support/node_project.ts";
import { sign } from "./support/sign.ts";
import { Connection } from "rabbitmq-client";

const SECRET = "a secret shared with GitHub";

/** Notes each event that it has handled in a file, hangs at one of its choice, and says when. */
const CONSUMER = `import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { consume } from "@inlet/consumer";
import { GithubEventType, type GithubEvent } from "@inlet/github-events";
import type { InletEventOf } from "@inlet/events";

const { URL: url = "", EXCHANGE: exchange = "", QUEUE: queue = "", HANG_AT: hangAt = "", FILE: file = "" } = process.env;
const done = () => existsSync(file) ? readFileSync(file, "utf8").split("\\n") : [];
let handled = 0;

async function note(event: { id: string; type: string }): Promise<void> {
  if (String(handled) === hangAt) {
    console.log("hanging");
    await new Promise(() => {});
  }
  handled++;
  appendFileSync(file, event.id + "\\n");
}

const title = ({ payload }: InletEventOf<"github.pr.opened">): string => payload.pullRequest.title;
const told = (event: GithubEvent): string =>
  event.type === GithubEventType.ISSUE_OPENED ? event.payload.issue.title : event.type;

const consumption = await consume({
  url,
  exchange,
  queue,
  bind: ["github.#"],
  prefetch: 1,
  seen: { has: (id) => done().includes(id), add: () => {} },
  on: {
    "github.pr.opened": async (event) => {
      title(event);
      await note(event);
    },
    "github.issue.opened": async (event) => {
      told(event);
      await note(event);
    },
  },
  otherwise: note,
});
process.once("SIGTERM", () => void consumption.stop());
console.log("consuming");
`;

const WRONG = `import type { InletEventOf } from "@inlet/events";
import { consume } from "@inlet/consumer";
export const title = ({ payload }: InletEventOf<"github.pr.opened">): string => payload.pullRequest.titel;
void consume({ url: "", queue: "", on: { "github.pr.opened": ({ payload }) => console.log(payload.commit) } });
void consume({ url: "", queue: "", on: { "github.pr.exploded": () => {} } });
`;

/** A payload of GitHub's as GitHub sends it. */
function deliveryOf(name: string, payload: unknown) {
  const body = JSON.stringify(payload);
  return {
    body,
    headers: {
      "content-type": "application/json",
      "x-github-event": name,
      "x-github-delivery": `packages-${name}`,
      "x-hub-signature-256": `sha256=${sign(SECRET, body)}`,
    },
  };
}

/** Real payloads of GitHub's, one of each event. */
const deliveries = examples.filter(({ name }) => name !== "ping").slice(0, 30)
  .map(({ name, examples: [example] }) => deliveryOf(name, example));

const payloadsOf = (event: string) => examples.find(({ name }) => name === event)?.examples ?? [];
const pullRequest = deliveryOf(
  "pull_request",
  payloadsOf("pull_request").find((payload) => "action" in payload && payload.action === "opened"),
);
const push = deliveryOf(
  "push",
  payloadsOf("push").find((payload) => "commits" in payload && payload.commits.length === 1),
);

/** Sends all of them, and gives how many events they became. Another `suffix` makes them other deliveries. */
async function deliverAll(webhookUrl: string, suffix = "", some = deliveries): Promise<number> {
  let accepted = 0;
  for (const { body, headers } of some) {
    const named = { ...headers, "x-github-delivery": `${headers["x-github-delivery"]}${suffix}` };
    const response = await fetch(webhookUrl, { method: "POST", body, headers: named });
    accepted += await acceptedEvents(response, headers["x-github-event"]);
  }
  return accepted;
}

async function handledIds(project: NodeProject, count: number): Promise<readonly string[]> {
  for (;;) {
    const text = await Deno.readTextFile(`${project.folder}/handled`).catch(() => "");
    const ids = text.split("\n").filter((line) => line !== "");
    if (ids.length >= count) return ids;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What the examples say of GitHub's published pull request and push. */
const TOLD = [
  "Codertocat/Hello-World#2 is open: Update the README with new information.",
  "Codertocat pushed to Codertocat/Hello-World: Initial commit",
] as const;

const bun = await findBun();

Deno.test("the packages, as they are installed from tarballs outside of the repository", async (t) => {
  const dist = await Deno.makeTempDir({ prefix: "inlet-dist-" });
  await using project = await nodeProject();
  const amqpUrl = testAmqpUrl();
  const exchange = uniqueExchange();
  const queues = new Set<string>();
  const queueOf = (name: string) => {
    queues.add(`${exchange}.${name}`);
    return `${exchange}.${name}`;
  };
  try {
    await Deno.mkdir(`${dist}/program`);
    for (const name of ["program/encryption.key", "older.tgz"]) await Deno.writeTextFile(`${dist}/${name}`, "");
    const tarballs = await packAll(new URL(`file://${dist}/`));
    assert.deepEqual(
      (await Array.fromAsync(Deno.readDir(dist), ({ name }) => name)).sort(),
      [...tarballs, "program"].sort(),
    );
    await Deno.stat(`${dist}/program/encryption.key`);

    await t.step("both registries would take them, without a login", async () => {
      const script = new URL("../scripts/publish_check.ts", import.meta.url).pathname;
      const said = await run(Deno.execPath(), ["run", "-A", script, dist], { cwd: dist });
      const expected = [...tarballs.map((file) => `npm would take ${file}`), "JSR would take all packages"];
      assert.deepEqual(said.trim().split("\n"), expected);
      await Deno.mkdir(`${dist}/wrong`);
      await Deno.writeTextFile(`${dist}/wrong/wrong.tgz`, "no tarball");
      await assert.rejects(
        run(Deno.execPath(), ["run", "-A", script, `${dist}/wrong`], { cwd: dist }),
        /Cannot run "npm publish/,
      );
    });

    await project.install(tarballs.map((file) => `${dist}/${file}`));
    await t.step("each says what it is, and links to nothing that is not there", async () => {
      const installed = `${project.folder}/node_modules/@inlet`;
      for await (const { name } of Deno.readDir(installed)) {
        const { description } = JSON.parse(await Deno.readTextFile(`${installed}/${name}/package.json`));
        assert.match(description, /^[A-Z][^\n]*\.$/, name);
        assert.doesNotMatch(await Deno.readTextFile(`${installed}/${name}/README.md`), /\]\(\./, name);
      }
    });
    await t.step("of the package of all sources, a bundle has only what it uses", async () => {
      const contents = 'export { SlackEventType } from "@inlet/events";';
      const { metafile } = await build({
        stdin: { contents, resolveDir: project.folder },
        bundle: true,
        write: false,
        metafile: true,
        format: "esm",
      });
      await stop();
      const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
      assert.deepEqual(
        new Set(used.flatMap((path) => path.match(/@inlet\/[^/]+/) ?? [])),
        new Set(["@inlet/slack-events"]),
      );
    });
    await using inlet = await InletProcess.start({ env: { AMQP_URL: amqpUrl, AMQP_EXCHANGE: exchange } });
    const webhookUrl = await inlet.enable(await inlet.setUp(), "github", { webhookSecret: SECRET });

    for (const name of ["node_consumer.ts", "deno_consumer.ts"]) {
      await project.write(name, await Deno.readTextFile(new URL(`../examples/${name}`, import.meta.url)));
    }
    await project.write("consumer.ts", CONSUMER);
    await project.write("wrong.ts", WRONG);

    await t.step("plain TypeScript compiles against them, but for what is wrong", async () => {
      const faults = await project.compile(["consumer.ts", "node_consumer.ts", "wrong.ts"]);
      assert.deepEqual(faults.filter((line) => !/^(?:wrong\.ts| )/.test(line)), []);
      for (const fault of [/^wrong\.ts.*'titel'/m, /^wrong\.ts.*'commit'/m, /^wrong\.ts.*github\.pr\.exploded/m]) {
        assert.match(faults.join("\n"), fault);
      }
    });

    await t.step("a consumer handles each event once over a kill", async () => {
      const env = { URL: amqpUrl, EXCHANGE: exchange, QUEUE: queueOf("once"), FILE: `${project.folder}/handled` };
      const first = project.start(["node", "consumer.js"], { ...env, HANG_AT: "7" });
      await first.printed("consuming");
      const published = await deliverAll(webhookUrl);
      assert.ok(published >= deliveries.length, `${published}`);
      await first.printed("hanging");
      await first.end("SIGKILL");
      assert.equal((await handledIds(project, 7)).length, 7);

      const second = project.start(["node", "consumer.js"], env);
      await handledIds(project, published);
      await deliverAll(webhookUrl);
      const last = await deliverAll(webhookUrl, "-last", deliveries.slice(0, 1));
      const ids = await handledIds(project, published + last);
      await second.end("SIGTERM");
      assert.equal(ids.length, published + last, "none was handled twice");
      assert.equal(new Set(ids).size, published + last, "every event came");
    });

    /** Runs an example until it has told of real payloads, stops it, and gives it a URL that is none. */
    const tryExample = async (
      runtime: string,
      command: readonly [string, ...string[]],
      from = { exchange, webhookUrl },
    ) => {
      const env = { AMQP_URL: amqpUrl, AMQP_EXCHANGE: from.exchange, QUEUE: queueOf(runtime) };
      const example = project.start(command, env);
      await example.printed("Waiting for events");
      await deliverAll(from.webhookUrl, `-${runtime}`, [pullRequest, push]);
      for (const line of TOLD) await example.printed(line);
      assert.equal(await example.end("SIGTERM"), 0);
      const { code, said } = await project.start(command, { ...env, AMQP_URL: "localhost:5672" }).ended();
      assert.equal(code, 1);
      assert.match(said, /Cannot consume: url is no address such as amqp:\/\/user:password@host:5672/);
    };
    const denoRun = [Deno.execPath(), "run", "--allow-env", "--allow-net"] as const;
    await t.step("the Node example runs", () => tryExample("node", ["node", "node_consumer.js"]));
    await t.step("the Deno example runs", () => tryExample("deno", [...denoRun, "deno_consumer.ts"]));
    await t.step("the Node example takes the CloudEvents of a service with MESSAGE_FORMAT=cloudevents", async () => {
      const env = { AMQP_URL: amqpUrl, AMQP_EXCHANGE: uniqueExchange(), MESSAGE_FORMAT: "cloudevents" };
      await using foreign = await ForeignConsumer.bind(amqpUrl, env.AMQP_EXCHANGE);
      await using other = await InletProcess.start({ env });
      const url = await other.enable(await other.setUp(), "github", { webhookSecret: SECRET });
      await tryExample("cloud", ["node", "node_consumer.js"], { exchange: env.AMQP_EXCHANGE, webhookUrl: url });
      const messages = await foreign.until(TOLD.length);
      for (const { properties: { contentType, messageId }, text } of messages) {
        assert.match(contentType, /^application\/cloudevents\+json/);
        const { specversion, id } = JSON.parse(text);
        assert.deepEqual([specversion, id], ["1.0", messageId]);
      }
    });
    await t.step({
      name: "why" in bun ? `there is no Bun to run the Node example with: ${bun.why}` : "the Node example runs on Bun",
      ignore: "why" in bun,
      fn: () => tryExample("bun", ["path" in bun ? bun.path : "bun", "node_consumer.ts"]),
    });
  } finally {
    const connection = new Connection(amqpUrl);
    for (const queue of queues) {
      for (const name of ["", ".dead", ".retry.1000", ".retry.10000", ".retry.60000"]) {
        await connection.queueDelete({ queue: `${queue}${name}` });
      }
    }
    await connection.close();
    await cleanUp(amqpUrl, exchange);
    await Deno.remove(dist, { recursive: true });
  }
});
