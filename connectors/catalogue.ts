import { github } from "./github/mod.ts";
import type { WebhookConnector } from "./kit/mod.ts";

/** Every source that Inlet takes events from; a new one is one line here. */
export const catalogue: readonly WebhookConnector[] = [
  github,
];
