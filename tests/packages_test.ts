/** The published packages as somebody else gets them: installed from tarballs into a project of Node's own. */
import examples from "@octokit/webhooks-examples" with { type: "json" };
import assert from "node:assert/strict";
import { packAll } from "../scripts/pack/tarballs.ts";
import { cleanUp, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
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

/** Real payloads of GitHub's, one of each event. */
const deliveries = examples.filter(({ name }) => name !== "ping").slice(0, 30).map(({ name, examples: [example] }) => {
  const body = JSON.stringify(example);
  return {
    body,
    headers: {
      "content-type": "application/json",
      "x-github-event": name,
      "x-github-delivery": `packages-${name}`,
      "x-hub-signature-256": `sha256=${sign(SECRET, body)}`,
    },
  };
});

/** Sends all of them, and gives how many events they became. Another `suffix` makes them other deliveries. */
async function deliverAll(webhookUrl: string, suffix = "", some = deliveries): Promise<number> {
  let published = 0;
  for (const { body, headers } of some) {
    const named = { ...headers, "x-github-delivery": `${headers["x-github-delivery"]}${suffix}` };
    const response = await fetch(webhookUrl, { method: "POST", body, headers: named });
    const answer: { published: number } = await response.json();
    published += answer.published;
  }
  return published;
}

async function handledIds(project: NodeProject, count: number): Promise<readonly string[]> {
  for (;;) {
    const text = await Deno.readTextFile(`${project.folder}/handled`).catch(() => "");
    const ids = text.split("\n").filter((line) => line !== "");
    if (ids.length >= count) return ids;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

Deno.test("a Node project installs the tarballs, compiles against them, and handles each event once over a kill", async () => {
  const dist = await Deno.makeTempDir({ prefix: "inlet-dist-" });
  await using project = await nodeProject();
  const amqpUrl = testAmqpUrl();
  const exchange = uniqueExchange();
  const queue = `${exchange}.node`;
  try {
    const { npm } = await packAll(new URL(`file://${dist}/`));
    await project.install(npm.map((file) => `${dist}/${file}`));
    await project.write("consumer.ts", CONSUMER);
    assert.equal(await project.compile("consumer.ts"), "");
    await project.write("wrong.ts", WRONG);
    const faults = await project.compile("wrong.ts");
    for (const fault of [/wrong\.ts.*'titel'/, /wrong\.ts.*'commit'/, /wrong\.ts.*github\.pr\.exploded/]) {
      assert.match(faults, fault);
    }

    await using inlet = await InletProcess.start({ env: { AMQP_URL: amqpUrl, AMQP_EXCHANGE: exchange } });
    const webhookUrl = await inlet.enable(await inlet.setUp(), "github", { webhookSecret: SECRET });
    const env = { URL: amqpUrl, EXCHANGE: exchange, QUEUE: queue, FILE: `${project.folder}/handled` };
    const first = project.start("consumer.js", { ...env, HANG_AT: "7" });
    await first.printed("consuming");
    const published = await deliverAll(webhookUrl);
    assert.ok(published >= deliveries.length, `${published}`);
    await first.printed("hanging");
    await first.end("SIGKILL");
    assert.equal((await handledIds(project, 7)).length, 7);

    const second = project.start("consumer.js", env);
    await handledIds(project, published);
    await deliverAll(webhookUrl);
    const last = await deliverAll(webhookUrl, "-last", deliveries.slice(0, 1));
    const ids = await handledIds(project, published + last);
    await second.end("SIGTERM");
    assert.equal(ids.length, published + last, "none was handled twice");
    assert.equal(new Set(ids).size, published + last, "every event came");
  } finally {
    const connection = new Connection(amqpUrl);
    for (const name of ["", ".dead", ".retry.1000", ".retry.10000", ".retry.60000"]) {
      await connection.queueDelete({ queue: `${queue}${name}` });
    }
    await connection.close();
    await cleanUp(amqpUrl, exchange);
    await Deno.remove(dist, { recursive: true });
  }
});
