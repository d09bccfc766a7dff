/**
 * Sends a fixture of a connector as its source would, signed: a first event without the source.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { z } from "zod";
import { catalogue } from "../connectors/catalogue.ts";
import { exampleSettings, fixtureNames, madeSecrets, readFixture } from "../connectors/kit/fixtures.ts";
import type { WebhookConnector } from "../connectors/kit/mod.ts";

const HELP = `Sends an example delivery of a source, signed as the source does.

  deno task send <connector> <example> [--to URL] [--secret SECRET]
  deno task send <connector> <example> --url WEBHOOK_URL --secret SECRET

  --to URL          the service; default http://localhost:3200. Sets it up, and configures the connector
                    with a new secret, where that has not been done
  --secret SECRET   the connector's signing secret, where it is configured already
  --token TOKEN     the service's ADMIN_TOKEN, where it has one
  --url WEBHOOK_URL send there, without looking anything up

Examples there are:`;

/** What the command line asks for. */
interface Wish {
  readonly connector: WebhookConnector;
  readonly example: string;
  readonly to: string;
  readonly url: string | undefined;
  readonly secret: string | undefined;
  readonly token: string | undefined;
}

/** Something to tell the user, without a stack. */
class UsageError extends Error {}

function print(text: string): void {
  // deno-lint-ignore no-console -- a command speaks on standard output
  console.log(text);
}

async function readWish(args: readonly string[]): Promise<Wish | undefined> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      to: { type: "string", default: "http://localhost:3200" },
      url: { type: "string" },
      secret: { type: "string" },
      token: { type: "string" },
    },
  });
  const [connectorId, example] = positionals;
  const sources = catalogue.filter((connector) => connector.type === "webhook");
  const connector = sources.find(({ manifest }) => manifest.id === connectorId);
  const names = await Promise.all(
    sources.map(async ({ manifest: { id } }) => `  ${id}: ${(await fixtureNames(id)).join(", ")}`),
  );
  const help = `${HELP}\n${names.join("\n")}`;
  if (values.help || positionals.length === 0) return print(help), undefined;
  if (connector === undefined) throw new UsageError(`There is no connector ${JSON.stringify(connectorId)}.\n\n${help}`);
  if (example === undefined || !(await fixtureNames(connector.manifest.id)).includes(example)) {
    throw new UsageError(`There is no example ${JSON.stringify(example)} of ${connector.manifest.id}.\n\n${help}`);
  }
  if (values.url !== undefined && values.secret === undefined) throw new UsageError("--url needs --secret.");
  if (!URL.canParse(values.to) || !values.to.startsWith("http")) throw new UsageError("--to needs http://host:port.");
  const { url, secret, token } = values;
  return { connector, example, to: values.to.replace(/\/+$/, ""), url, secret, token };
}

async function call<T>(
  { to, token }: Wish,
  path: string,
  schema: z.ZodType<T>,
  body?: unknown,
): Promise<T> {
  const url = `${to}${path}`;
  const headers = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(url, init).catch((error) => {
    throw new UsageError(`No service answers at ${url} (${error.message}). Start one with: deno task start`);
  });
  if (!response.ok) throw new UsageError(`${url} answered ${response.status}: ${await response.text()}`);
  return schema.parse(await response.json());
}

/** The webhook URL and the secret of the service's connector, set up where they are not. */
async function prepare(wish: Wish): Promise<{ url: string; secret: string }> {
  const { connector, example, secret } = wish;
  const { id } = connector.manifest;
  const status = await call(wish, "/setup/status", z.object({ workspaceId: z.string().nullable() }));
  const workspaceId = status.workspaceId ??
    (await call(wish, "/setup", z.object({ workspaceId: z.string() }), { workspaceName: "My workspace" })).workspaceId;
  if (status.workspaceId === null) print(`created the workspace ${workspaceId}`);
  const view = z.object({ hasSecrets: z.boolean(), enabled: z.boolean(), webhookUrl: z.string().nullable() });
  const { hasSecrets, webhookUrl } = await call(wish, `/connectors/${id}/config?workspaceId=${workspaceId}`, view);
  if (hasSecrets && webhookUrl !== null) {
    if (secret === undefined) {
      throw new UsageError(
        `${id} is configured already: pass its secret with --secret. If it is lost, set a new one (POST ` +
          `/connectors/${id}/configure, or in the dashboard).`,
      );
    }
    return { url: webhookUrl, secret };
  }
  const secrets = madeSecrets(connector);
  const made = secret ?? Object.values(secrets)[0] ?? "";
  const { config } = await exampleSettings(connector, example);
  const change = { workspaceId, enabled: true, config, secrets: secretsOf(secrets, made) };
  const saved = await call(wish, `/connectors/${id}/configure`, z.object({ webhookUrl: z.string() }), change);
  print(`enabled ${id}; next time pass --secret ${made}`);
  return { url: saved.webhookUrl, secret: made };
}

function secretsOf(names: Record<string, unknown>, secret: string): Record<string, string> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, secret]));
}

async function send(wish: Wish): Promise<void> {
  const { url, secret } = wish.url !== undefined && wish.secret !== undefined
    ? { url: wish.url, secret: wish.secret }
    : await prepare(wish);
  const delivery = await readFixture(wish.connector.manifest.id, wish.example, crypto.randomUUID());
  const { config } = await exampleSettings(wish.connector, wish.example);
  const settings = { config, secrets: secretsOf(madeSecrets(wish.connector), secret) };
  const faults = wish.connector.faultsOf(settings, true);
  if (faults.length > 0) {
    throw new UsageError(`The secret does not fit: ${faults.map(({ detail }) => detail).join("; ")}`);
  }
  const headers = wish.connector.open(settings).sign(delivery);
  // Where the service says it is reached may not be where it is reached from here.
  const there = wish.url ?? `${wish.to}${new URL(url).pathname}`;
  const response = await fetch(there, { method: "POST", headers, body: delivery.body });
  print(`${response.status} ${await response.text()}`);
  if (!response.ok) throw new UsageError("The delivery was not accepted.");
}

try {
  const wish = await readWish(Deno.args);
  if (wish !== undefined) await send(wish);
} catch (error) {
  const expected = error instanceof UsageError || error instanceof TypeError;
  // deno-lint-ignore no-console -- a command speaks of its failures on standard error
  console.error(expected ? error.message : error);
  Deno.exit(1);
}
