import type { Names } from "./names.ts";

/** The files of a new source's connector, by path. */
export function connectorFiles(names: Names): Record<string, string> {
  const folder = `connectors/${names.id}`;
  return {
    [`${folder}/mod.ts`]: definition(names),
    [`${folder}/normalize.ts`]: normalizer(names),
    [`${folder}/README.md`]: readme(names),
    [`${folder}/fixtures/thing_created.json`]: json(fixture()),
    [`${folder}/fixtures/thing_created.events.json`]: json([event(names)]),
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function definition({ id, camel, title, package: name }: Names): string {
  return `/**
 * The ${title} connector, normalized into the types and payloads of \`${name}\`.
 *
 * @module
 */
import { ${camel}EventDescriptions, ${camel}PayloadSchemas } from "${name}";
import { z } from "zod";
import { defineWebhook, hmac, hmacHeader, type HmacRule, type WebhookConnector } from "../kit/mod.ts";
import { normalize } from "./normalize.ts";

/** Receives ${title}'s webhooks. */
export const ${camel}: WebhookConnector = defineWebhook({
  id: "${id}",
  name: "${title}",
  description: "What happens in ${title}.",
  documentationUrl: "https://example.com/docs/webhooks",
  payloads: ${camel}PayloadSchemas,
  descriptions: ${camel}EventDescriptions,
  headers: ["x-delivery-id"],
  config: {},
  secrets: { signingSecret: z.string().min(16).describe("The signing secret in ${title}'s settings") },
  verify: (delivery, { signingSecret }) => hmac(delivery, signature(signingSecret)),
  sign: ({ body }, { signingSecret }) => hmacHeader(body, signature(signingSecret)),
  deliveryId: (_, { headers }) => headers.get("x-delivery-id"),
  normalize,
});

function signature(key: string): HmacRule {
  return { header: "x-signature-256", prefix: "sha256=", key };
}
`;
}

function normalizer({ pascal, package: name }: Names): string {
  return `import { type ${pascal}ThingPayload, ${pascal}EventType } from "${name}";
import { z } from "zod";
import { type Delivery, type EventDraft, instant } from "../kit/mod.ts";

const bodySchema = z.object({
  createdAt: z.string(),
  user: z.object({ id: z.string().min(1), name: z.string() }),
  thing: z.object({ id: z.string().min(1), title: z.string() }),
});

/**
 * Turns a verified delivery into drafts.
 *
 * @throws {z.ZodError} if the body is not what the source documents
 */
export function normalize(body: unknown, { receivedAt }: Delivery): readonly EventDraft[] {
  const { createdAt, user, thing } = bodySchema.parse(body);
  const payload: ${pascal}ThingPayload = { thing };
  return [{
    type: ${pascal}EventType.THING_CREATED,
    occurredAt: instant(createdAt, receivedAt),
    actor: { type: "user", id: user.id, name: user.name },
    subject: { type: "thing", id: thing.id, name: thing.title },
    payload,
  }];
}
`;
}

function readme({ id, title, package: name, packageFolder }: Names): string {
  return `# ${title}

Events of ${title}, by webhook. The events are described in
[\`${name}\`](../../packages/${packageFolder}/README.md).

## Set-up

1. Save a secret of at least 16 characters as **signingSecret**: the connector's page in the dashboard makes one up for
   you, or takes your own (\`openssl rand -hex 32\`), as does \`POST /connectors/${id}/configure\`. Both give you the
   webhook URL.
2. At ${title}, add a webhook with that URL and the same secret.

## Testing and troubleshooting

| Answer | Meaning                                                                            |
| ------ | ---------------------------------------------------------------------------------- |
| 401    | The signature is missing or does not match: the secrets differ.                    |
| 404    | The URL is no longer the connector's, or the connector is disabled.                |
| 422    | The signature is right, but the body is not what is documented. It says where.     |

## Tested against

Self-made deliveries.
`;
}

const THING = { id: "t-1", title: "A first thing" };

function fixture() {
  return {
    headers: { "content-type": "application/json", "x-delivery-id": "{deliveryId}" },
    body: { createdAt: "2026-03-02T11:59:58Z", user: { id: "u-1", name: "Mira" }, thing: THING },
  };
}

function event({ id }: Names) {
  return {
    type: `${id}.thing.created`,
    occurredAt: "2026-03-02T11:59:58.000Z",
    actor: { type: "user", id: "u-1", name: "Mira" },
    subject: { type: "thing", id: THING.id, name: THING.title },
    payload: { thing: THING },
  };
}
