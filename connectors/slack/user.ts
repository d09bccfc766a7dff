import type { SlackEventType, SlackUser } from "@inlet/slack-events";
import { z } from "zod";
import { flag, text } from "../kit/mod.ts";
import { draft, type EventReader, reader, subject } from "./draft.ts";
import { id, named } from "./input.ts";

const user = z.object({
  id,
  name: text,
  real_name: text,
  tz: text,
  deleted: flag,
  is_bot: flag,
  is_admin: flag,
  is_restricted: flag,
  profile: z.object({
    real_name: text,
    display_name: text,
    title: text,
    email: text,
    status_text: text,
    status_emoji: text,
  }).nullish(),
}).transform(({ profile, ...it }): SlackUser => ({
  id: it.id,
  name: named(it.name),
  realName: named(it.real_name) ?? named(profile?.real_name),
  displayName: named(profile?.display_name),
  title: named(profile?.title),
  email: named(profile?.email),
  timeZone: named(it.tz),
  statusText: named(profile?.status_text),
  statusEmoji: named(profile?.status_emoji),
  bot: it.is_bot ?? false,
  admin: it.is_admin ?? false,
  guest: it.is_restricted ?? false,
  deleted: it.deleted ?? false,
}));

/** Reads `team_join` or `user_change`. Who made the change Slack does not tell: the user is taken for it. */
export function userEvent(
  type: typeof SlackEventType.USER_JOINED | typeof SlackEventType.USER_CHANGED,
): EventReader {
  return reader(z.object({ user }), ({ user }, { at, origin }) => {
    const name = user.displayName ?? user.realName ?? user.name;
    return draft(type, at, {
      actor: { type: user.bot ? "bot" : "user", id: user.id, ...(name !== null && { name }) },
      subject: subject("user", user.id, name),
      payload: { user, ...origin },
    });
  });
}
