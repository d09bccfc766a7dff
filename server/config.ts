import { z } from "zod";
import { ConfigError } from "./errors.ts";
import { DEFAULT_KV_PATH } from "./kv_path.ts";

const wholeNumber = (least: number, most: number) =>
  z.string().regex(/^\d+$/, `expected a whole number from ${least} to ${most}`).transform(Number)
    .refine((value) => value >= least && value <= most, `expected a whole number from ${least} to ${most}`);

const MS_PER_UNIT = new Map([["ms", 1], ["s", 1000], ["m", 60_000], ["h", 3_600_000], ["d", 86_400_000]]);

const duration = z.string().regex(
  /^\d+(?:ms|s|m|h|d)$/,
  'expected a duration such as "500ms", "5s", "10m", "24h" or "3d"',
)
  .transform((text) => Number.parseInt(text, 10) * (MS_PER_UNIT.get(text.replace(/^\d+/, "")) ?? 0));

const urlOf = (...protocols: string[]) =>
  z.string().refine(
    (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
    `expected a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
  );

/** Each variable that Inlet reads: its form, its default and its meaning, said here and nowhere else. */
const environmentSchema = z.object({
  PORT: wholeNumber(0, 65_535).prefault("3200")
    .describe("TCP port to listen on; `0` takes a free one, and wants `PUBLIC_URL`"),
  HOST: z.string().prefault("127.0.0.1").describe("Address to listen on; `0.0.0.0` for all interfaces"),
  PUBLIC_URL: urlOf("http:", "https:").optional()
    .describe("Base of the webhook URLs: where senders reach this service. Unset: `http://localhost` with `PORT`"),
  KV_PATH: z.string().prefault(DEFAULT_KV_PATH)
    .refine((path) => !path.startsWith("~"), "expected a path; a shell expands ~ only where it is not quoted")
    .describe("File of the Deno KV store (made with its folder), or the `https://` URL of a KV Connect database"),
  ENCRYPTION_KEY: z.string().trim()
    .regex(
      /^(?:[0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i,
      "expected 32 bytes in base64 or hex; make one with: openssl rand -base64 32",
    ).optional()
    .describe(
      "Key that secrets are sealed with: 32 bytes in base64 or hex. Unset: made once, in `encryption.key` beside the store",
    ),
  AMQP_URL: urlOf("amqp:", "amqps:").optional()
    .describe(
      "RabbitMQ to publish to, such as `amqp://user:password@host:5672`. Unset: events reach only the live stream",
    ),
  AMQP_EXCHANGE: z.string().min(1).max(200).prefault("inlet.events").describe("Durable topic exchange to publish to"),
  AMQP_ROUTING_KEY: z.string().prefault("{type}")
    .refine(
      (template) => /^(?:[^{}]|\{(?:type|source|workspaceId)\})+$/.test(template),
      "expected text with {type}, {source} or {workspaceId} in it",
    )
    .describe("Template of the routing key: text with `{type}`, `{source}`, `{workspaceId}`"),
  PUBLISH_TIMEOUT: duration.prefault("5s").describe("How long to wait for the broker's confirm"),
  MAX_MESSAGE_BYTES: wholeNumber(1, 536_870_912).prefault("16777216")
    .describe("Largest event to publish, in bytes: the broker's `max_message_size`"),
  MAX_BODY_BYTES: wholeNumber(1, 1_073_741_824).prefault("26214400").describe("Largest request body, in bytes"),
  SHUTDOWN_TIMEOUT: duration.prefault("10s").describe("How long a stop waits for requests under way"),
  DELIVERY_RETENTION: z.union([z.literal("0").transform(() => 0), duration]).prefault("3d")
    .describe("How long deliveries are kept, with their bodies, to be looked at and replayed; `0`: not at all"),
  DELIVERY_RETENTION_COUNT: wholeNumber(0, 1_000_000).prefault("1000")
    .describe("How many deliveries are kept for each workspace"),
  JOURNAL_RETENTION: z.union([z.literal("0").transform(() => 0), duration]).prefault("24h")
    .describe("How long events are kept for live streams to resume from; `0`: not at all"),
  JOURNAL_RETENTION_COUNT: wholeNumber(0, 1_000_000).prefault("10000")
    .describe("How many events are kept for that, for each workspace"),
  LOG_LEVEL: z.enum(["debug", "info", "warning", "error"]).prefault("info").describe("Least level that is logged"),
  LOG_FORMAT: z.enum(["text", "json"]).prefault("text").describe("`json`: one JSON object a line"),
  DENO_KV_ACCESS_TOKEN: z.string().optional().describe("Access token of a KV Connect database; Deno reads it itself"),
  DENO_DEPLOYMENT_ID: z.string().optional()
    .describe("Set by Deno Deploy; the platform's own KV is the store then, unless `KV_PATH` is set"),
});

/** The service's settings, checked and frozen. Times in milliseconds, sizes in bytes. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** `undefined`: the platform's own KV. */
  readonly kvPath: string | undefined;
  readonly encryptionKey: string | undefined;
  readonly amqpUrl: string | undefined;
  readonly exchange: string;
  readonly routingKey: string;
  readonly publishTimeoutMs: number;
  readonly maxMessageBytes: number;
  readonly maxBodyBytes: number;
  readonly shutdownTimeoutMs: number;
  /** `0`: deliveries are not kept. */
  readonly deliveryRetentionMs: number;
  readonly deliveryRetentionCount: number;
  /** `0`: live streams do not resume. */
  readonly journalRetentionMs: number;
  readonly journalRetentionCount: number;
  readonly logLevel: "debug" | "info" | "warning" | "error";
  readonly logFormat: "text" | "json";
}

/** Names of the variables that hold a secret: their values are in no message. */
const SECRET_VARIABLES: ReadonlySet<string> = new Set(["ENCRYPTION_KEY", "AMQP_URL", "DENO_KV_ACCESS_TOKEN"]);

/** One row of the configuration table in the README. */
export interface Variable {
  readonly name: string;
  /** `undefined` where the variable has none. */
  readonly default: string | undefined;
  readonly meaning: string;
}

/** The variables that {@link loadConfig} reads, for documentation and for the permissions of the start task. */
export function variables(): Variable[] {
  const { properties = {} } = z.toJSONSchema(environmentSchema, { io: "input" });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    default: typeof property === "object" && property.default !== undefined ? String(property.default) : undefined,
    meaning: typeof property === "object" ? property.description ?? "" : "",
  }));
}

/**
 * Makes the settings of an environment, asked variable by variable. An empty value counts as unset.
 *
 * @throws {ConfigError} naming every variable that is wrong, its value (unless secret) and what was expected
 */
export function loadConfig(get: (name: string) => string | undefined): Config {
  const given = Object.fromEntries(
    Object.keys(environmentSchema.shape).map((name) => [name, get(name) || undefined]),
  );
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      const value = SECRET_VARIABLES.has(name) ? "not usable" : JSON.stringify(given[name]);
      return `Cannot start: ${name} is ${value}: ${issue.message}`;
    });
    throw new ConfigError(lines.join("\n"));
  }
  const env = parsed.data;
  if (env.PORT === 0 && env.PUBLIC_URL === undefined) {
    throw new ConfigError("Cannot start: PORT is 0 and PUBLIC_URL is not set: nobody could tell the webhook URLs");
  }
  const onDeploy = env.DENO_DEPLOYMENT_ID !== undefined && given.KV_PATH === undefined;
  return Object.freeze({
    port: env.PORT,
    host: env.HOST,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ""),
    kvPath: onDeploy ? undefined : env.KV_PATH,
    encryptionKey: env.ENCRYPTION_KEY,
    amqpUrl: env.AMQP_URL,
    exchange: env.AMQP_EXCHANGE,
    routingKey: env.AMQP_ROUTING_KEY,
    publishTimeoutMs: env.PUBLISH_TIMEOUT,
    maxMessageBytes: env.MAX_MESSAGE_BYTES,
    maxBodyBytes: env.MAX_BODY_BYTES,
    shutdownTimeoutMs: env.SHUTDOWN_TIMEOUT,
    deliveryRetentionMs: env.DELIVERY_RETENTION,
    deliveryRetentionCount: env.DELIVERY_RETENTION_COUNT,
    journalRetentionMs: env.JOURNAL_RETENTION,
    journalRetentionCount: env.JOURNAL_RETENTION_COUNT,
    logLevel: env.LOG_LEVEL,
    logFormat: env.LOG_FORMAT,
  });
}
