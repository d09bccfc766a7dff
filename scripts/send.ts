/**
 * Sends a fixture of a connector as its source would, signed: a first event without the source. `deno task send`.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { z } from "zod";
import { catalogue } from "../connectors/catalogue.ts";
import { exampleSettings, fixtureNames, madeSecrets, readFixture } from "../connectors/kit/fixtures.ts";
import type { WebhookConnector } from "../connectors/kit/mod.ts";
import { CommandError, print, runCommand, UsageError } from "./cli/command.ts";

const HELP = `Sends an example delivery of a source, signed as the source does.

  deno task send SOURCE EXAMPLE [--to URL] [--secret SECRET] [--token TOKEN]
  deno task send SOURCE EXAMPLE --url WEBHOOK_URL --secret SECRET

  --to URL          the service; default http://localhost:3200. Sets it up, and configures the source
                    with a new secret, where that has not been done
  --secret SECRET   the source's signing secret, where it is configured already
  --token TOKEN     the service's ADMIN_TOKEN, where it has one
  --url WEBHOOK_URL send there, without looking anything up

  deno task send github push

Sources, and their examples:`;

/** What the command line asks for. */
interface Wish {
  readonly connector: WebhookConnector;
  readonly example: string;
  readonly to: string;
  readonly url: string | undefined;
  readonly secret: string | undefined;
  readonly token: string | undefined;
}

/** How many examples of each source the help names. */
const EXAMPLES_SHOWN = 6;

const sources = catalogue.filter((connector) => connector.type === "webhook");

async function help(): Promise<string> {
  const names = sources.map(async ({ manifest: { id } }) => {
    const all = await fixtureNames(id);
    const more = all.length > EXAMPLES_SHOWN ? `, and ${all.length - EXAMPLES_SHOWN} more: deno task send ${id}` : "";
    return `  ${id}: ${all.slice(0, EXAMPLES_SHOWN).join(", ")}${more}`;
  });
  return [HELP, ...await Promise.all(names)].join("\n");
}

async function readWish(args: string[]): Promise<Wish> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      to: { type: "string", default: "http://localhost:3200" },
      url: { type: "string" },
      secret: { type: "string" },
      token: { type: "string" },
    },
  });
  const [connectorId, example, ...more] = positionals;
  if (connectorId === undefined || more.length > 0) throw new UsageError("name a source and an example");
  const connector = sources.find(({ manifest }) => manifest.id === connectorId);
  if (connector === undefined) {
    const ids = sources.map(({ manifest }) => manifest.id).join(", ");
    throw new UsageError(`there is no source ${JSON.stringify(connectorId)} that sends, only ${ids}`);
  }
  const examples = await fixtureNames(connector.manifest.id);
  if (example === undefined) throw new UsageError(`name an example: ${examples.join(", ")}`);
  if (!examples.includes(example)) {
    throw new UsageError(`there is no example ${JSON.stringify(example)} of ${connector.manifest.id}`);
  }
  if (values.url !== undefined && values.secret === undefined) throw new UsageError("--url needs --secret");
  if (!URL.canParse(values.to) || !values.to.startsWith("http")) throw new UsageError("--to needs http://host:port");
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
    throw new CommandError(`No service answers at ${url} (${error.message}). Start one with: deno task start`);
  });
  if (!response.ok) throw new CommandError(`${url} answered ${response.status}: ${await response.text()}`);
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
      throw new CommandError(
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
    throw new CommandError(`The secret does not fit: ${faults.map(({ detail }) => detail).join("; ")}`);
  }
  const headers = wish.connector.open(settings).sign(delivery);
  // Where the service says it is reached may not be where it is reached from here; a path there is its proxy's.
  const there = wish.url ?? `${wish.to}${url.slice(url.lastIndexOf("/webhooks/"))}`;
  const response = await fetch(there, { method: "POST", headers, body: delivery.body }).catch((error) => {
    throw new CommandError(`Cannot send to ${there}: ${error.message}`);
  });
  print(`${response.status} ${await response.text()}`);
  if (!response.ok) throw new CommandError("The delivery was not accepted.");
}

await runCommand({ task: "send", help }, async (args) => await send(await readWish(args)));
