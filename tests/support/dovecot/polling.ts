/** Polling the e-mail connector in tests. */

import { type EmailMessagePayload, emailMessagePayloadSchema } from "@inlet/email-events";
import assert from "node:assert/strict";
import { email } from "../../../connectors/email/mod.ts";
import type { Polled, PolledDraft, Poller } from "../../../connectors/kit/mod.ts";
import type { Dovecot } from "../dovecot.ts";

/** When the tests poll. */
export const NOW: Date = new Date("2026-03-02T12:00:00.000Z");

/** A time before {@link NOW}. */
export const minutesAgo = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);

/** Opens the connector for a server's user, with settings that the connector accepts. */
export function pollerOf(dovecot: Dovecot, config: Record<string, unknown> = {}, password = dovecot.password): Poller {
  const { imapsPort, username, certificateAuthority } = dovecot;
  return openEmail({ host: "localhost", port: imapsPort, username, certificateAuthority, ...config }, password);
}

/** Opens the connector with settings that it accepts. */
export function openEmail(config: Record<string, unknown>, password = "a password of a test"): Poller {
  const settings = { config, secrets: { password } };
  assert.deepEqual(email.faultsOf(settings, true), []);
  return email.open(settings);
}

/** Polls one page. */
export function poll(
  poller: Poller,
  cursor: unknown,
  signal: AbortSignal = AbortSignal.timeout(600_000),
): Promise<Polled<unknown>> {
  return poller.poll({ cursor, now: NOW, signal });
}

/** Polls until there is no more, as the scheduler does, the cursor as JSON in between. */
export async function pollAll(
  poller: Poller,
  cursor: unknown,
): Promise<{ drafts: PolledDraft[]; cursor: unknown; pages: number }> {
  const drafts: PolledDraft[] = [];
  for (let pages = 1;; pages++) {
    const polled = await poll(poller, JSON.parse(JSON.stringify(cursor)));
    drafts.push(...polled.drafts);
    cursor = polled.cursor;
    assert.ok(polled.drafts.length <= 100, "a page is bounded");
    if (!polled.more) return { drafts, cursor, pages };
  }
}

/** The payload of a draft. */
export function payloadOf(draft: PolledDraft | undefined): EmailMessagePayload {
  return emailMessagePayloadSchema.parse(draft?.payload);
}

/** What the mails are about, in order. */
export const subjectsOf = (drafts: readonly PolledDraft[]): (string | null)[] =>
  drafts.map((draft) => payloadOf(draft).subject);

/** Asserts that a poll fails with a message for an operator that matches, and in which the password is not. */
export async function assertPollError(polling: Promise<unknown>, message: RegExp, password?: string): Promise<void> {
  await assert.rejects(polling, (error: Error) => {
    assert.equal(error.name, "PollError", error.stack);
    assert.match(error.message, /^Cannot /);
    assert.match(error.message, message);
    assert.ok(password === undefined || !error.message.includes(password), "the message holds the password");
    return true;
  });
}
