import { ACCOUNTS } from "./descriptions/accounts.ts";
import { CHECKS } from "./descriptions/checks.ts";
import { CODE } from "./descriptions/code.ts";
import { PLANNING } from "./descriptions/planning.ts";
import { SECURITY } from "./descriptions/security.ts";
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
