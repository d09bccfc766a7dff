/** The service as it is run where there is no checkout. */
import assert from "node:assert/strict";
import { ForeignConsumer, testAmqpUrl, uniqueExchange } from "./broker.ts";
import { InletProcess } from "./inlet.ts";
import { LANE_SECRET, numberedDelivery } from "./lanes.ts";

const ROOT = new URL("../..", import.meta.url);
/** A user without rights and without a home, as every Linux has. */
const NOBODY = "65534";

/** How a program is started: the words of its command, and what its environment has besides. */
export interface Program {
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

/** The same as a user without rights, where we are root and can. */
export async function asNobody({ command, env = {} }: Program, folder: string): Promise<Program> {
  if (Deno.uid() !== 0) return { command, env };
  await Deno.chown(folder, Number(NOBODY), Number(NOBODY));
  const setpriv = (await output("which", ["setpriv"], folder)).trim();
  return { command: [setpriv, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", ...command], env };
}

/** Copies what `docker build` would send: the repository's files without those that .dockerignore names. */
export async function copyDockerContext(folder: string): Promise<void> {
  const ignored = (await Deno.readTextFile(new URL(".dockerignore", ROOT))).split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => new RegExp(`^${RegExp.escape(line).replaceAll("\\*", "[^/]*")}(?:/|$)`));
  const listed = await output("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], ROOT);
  for (const path of listed.split("\0")) {
    if (path === "" || ignored.some((pattern) => pattern.test(path))) continue;
    const from = new URL(path, ROOT);
    if (!await Deno.stat(from).then(({ isFile }) => isFile, () => false)) continue; // Removed, and not committed yet.
    await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.copyFile(from, `${folder}/${path}`);
  }
}

/** Runs a command to its end and gives what it printed. */
export async function output(
  command: string,
  args: readonly string[],
  cwd: string | URL,
  env: Record<string, string> = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args], cwd, env }).output();
  const text = new TextDecoder();
  assert.ok(success, `${command} ${args.join(" ")}: ${text.decode(stdout)}${text.decode(stderr)}`);
  return text.decode(stdout);
}

/**
 * Starts a program in a folder that has nothing of it, and asserts that it does the whole work there: it takes a signed
 * delivery to a real broker, shows a page with its styles, and one with a connector's set-up steps and examples; and that it
 * stops in good order. `meanwhile` runs while it is up.
 */
export async function assertWorks(
  { command: [program, ...command], env = {} }: Program,
  folder: string,
  meanwhile: (inlet: InletProcess) => Promise<void> = async () => {},
): Promise<void> {
  const exchange = uniqueExchange();
  await using consumer = await ForeignConsumer.bind(testAmqpUrl(), exchange);
  await using inlet = await InletProcess.start({
    program,
    command,
    folder,
    cwd: folder,
    env: {
      HOME: "/nonexistent",
      KV_PATH: "./data/inlet.sqlite3",
      AMQP_URL: testAmqpUrl(),
      AMQP_EXCHANGE: exchange,
      ...env,
    },
  });
  const url = await inlet.enable(await inlet.setUp(), "github", { webhookSecret: LANE_SECRET });
  const answer = await fetch(url, numberedDelivery(0, 1));
  assert.ok(answer.ok, await answer.text()); // 202 where the machine is too busy for a confirm in time
  const [message] = await consumer.until(1);
  assert.equal(message?.properties.type, "github.star.created");
  await assertPages(inlet.url);
  await meanwhile(inlet);
  assert.equal((await Deno.stat(`${folder}/data/inlet.sqlite3`)).isFile, true);
  const { code, output } = await inlet.stop();
  assert.equal(code, 0, output);
}

async function assertPages(url: string): Promise<void> {
  const overview = await page(`${url}/dashboard`);
  const [, styles = assert.fail(overview)] = /<link rel="stylesheet" href="([^"]+)"/.exec(overview) ?? [];
  const css = await fetch(new URL(styles.replaceAll("&amp;", "&"), url));
  assert.match(css.headers.get("content-type") ?? "", /^text\/css/);
  assert.match(await css.text(), /light-dark\(/);
  const setUp = await page(`${url}/dashboard/connectors/github`);
  assert.match(setUp, /Content type/, "the set-up steps, from the connector's README");
  assert.match(setUp, /<option[^>]*>push/, "the examples, from the connector's fixtures");
}

async function page(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: "text/html" } });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text;
}
