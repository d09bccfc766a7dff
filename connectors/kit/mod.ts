/**
 * The contract between Inlet and a source: what a connector is, and what it is made with. Knows no source by name.
 *
 * @module
 */
export * from "./body.ts";
export * from "./connector.ts";
export * from "./depth.ts";
export * from "./draft.ts";
export * from "./errors.ts";
export * from "./faults.ts";
export * from "./freshness.ts";
export * from "./git.ts";
export * from "./give_way.ts";
export * from "./hmac.ts";
export * from "./input.ts";
export * from "./poller.ts";
export * from "./secrets.ts";
export * from "./standard_webhooks.ts";
export * from "./time.ts";
export * from "./webhook.ts";

import type { PollerConnector } from "./poller.ts";
import type { WebhookConnector } from "./webhook.ts";

/** A source, whichever way its events get in. */
export type Connector = WebhookConnector | PollerConnector;
