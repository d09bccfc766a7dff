import { calendar } from "./calendar/mod.ts";
import { device } from "./device/mod.ts";
import { email } from "./email/mod.ts";
import { gitea } from "./gitea/mod.ts";
import { github } from "./github/mod.ts";
import { gitlab } from "./gitlab/mod.ts";
import type { Connector } from "./kit/mod.ts";
import { slack } from "./slack/mod.ts";
import { webhook } from "./webhook/mod.ts";

/** Every source that Inlet takes events from; a new one is one line here. */
export const catalogue: readonly Connector[] = [
  calendar,
  device,
  email,
  gitea,
  github,
  gitlab,
  slack,
  webhook,
];
