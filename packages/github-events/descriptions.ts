import { ACCOUNTS } from "./descriptions_accounts.ts";
import { CHECKS } from "./descriptions_checks.ts";
import { CODE } from "./descriptions_code.ts";
import { PLANNING } from "./descriptions_planning.ts";
import { SECURITY } from "./descriptions_security.ts";
import type { GithubEventType } from "./types.ts";

/**
 * What each event type means, in a sentence: what has happened, and when it comes. After
 * https://docs.github.com/webhooks/webhook-events-and-payloads.
 */
export const githubEventDescriptions: Readonly<Record<GithubEventType, string>> = {
  ...CODE,
  ...PLANNING,
  ...CHECKS,
  ...SECURITY,
  ...ACCOUNTS,
};
