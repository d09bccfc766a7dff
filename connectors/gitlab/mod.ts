/**
 * The GitLab connector: webhooks of projects and groups, normalized into the types and payloads of
 * `@inlet/gitlab-events`.
 *
 * @module
 */
import { gitlabEventDescriptions, gitlabPayloadSchemas } from "@inlet/gitlab-events";
import { z } from "zod";
import {
  defineWebhook,
  type Delivery,
  equalInConstantTime,
  missing,
  standardWebhooks,
  standardWebhooksHeaders,
  standardWebhooksSecretSchema,
  type Verdict,
  type WebhookConnector,
} from "../kit/mod.ts";
import { normalize } from "./normalize.ts";

const TOKEN = "x-gitlab-token";

/**
 * Receives GitLab's webhooks (https://docs.gitlab.com/user/project/integrations/webhooks/). With a signing token they are
 * signed as Standard Webhooks says. Versions without one send a token along, which proves who sent but not what; once
 * there is a signing token, it does not stand in for a signature. `webhook-id`, and `Idempotency-Key` where nothing is
 * signed, stay the same when a request is sent again; `X-Gitlab-Event-UUID` is shared by all that one event sets off.
 */
export const gitlab: WebhookConnector = defineWebhook({
  id: "gitlab",
  name: "GitLab",
  description:
    "What happens in GitLab projects and groups: pushes, merge requests, issues, pipelines, releases and more.",
  documentationUrl: "https://docs.gitlab.com/user/project/integrations/webhook_events/",
  payloads: gitlabPayloadSchemas,
  descriptions: gitlabEventDescriptions,
  verification: ["signature", "token"],
  patienceMs: 10_000,
  headers: ["webhook-id", "idempotency-key"],
  config: {},
  secrets: {
    signingToken: standardWebhooksSecretSchema.optional()
      .describe("The signing token of the webhook in GitLab's settings, which begins with whsec_"),
    secretToken: z.string().min(16).optional()
      .describe("The secret token of the webhook, for a GitLab that has no signing tokens; unused beside one"),
  },
  check: ({ secrets: { signingToken, secretToken } }) =>
    signingToken !== undefined || secretToken !== undefined ? [] : [
      { pointer: "/secrets/signingToken", detail: "is required, or secretToken where GitLab has no signing tokens" },
    ],
  verify: (delivery, { signingToken, secretToken }) =>
    signingToken === undefined ? token(delivery, secretToken) : standardWebhooks(delivery, signingToken),
  sign: (request, { signingToken, secretToken = "" }) =>
    signingToken === undefined ? { [TOKEN]: secretToken } : standardWebhooksHeaders(request, signingToken),
  deliveryId: (_, { headers }) => headers.get("webhook-id") || headers.get("idempotency-key"),
  normalize,
});

function token({ headers }: Delivery, secretToken: string | undefined): Verdict {
  if (secretToken === undefined) {
    return { authentic: false, fault: "unset", detail: "no token is set to check it with" };
  }
  const given = headers.get(TOKEN);
  if (given === null || given === "") return missing(TOKEN);
  if (equalInConstantTime(given, secretToken)) return { authentic: true };
  return {
    authentic: false,
    fault: "mismatch",
    detail: `the header ${TOKEN} does not match: the secret tokens differ`,
  };
}
