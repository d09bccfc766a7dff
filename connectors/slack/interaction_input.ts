import type { SlackView } from "@inlet/slack-events";
import { z } from "zod";
import { isDeeper, listOf, recordOf, text } from "../kit/mod.ts";
import { id, named } from "./input.ts";

/** Who interacted, where and with what app: common to all interactions. */
export const sender = {
  user: z.object({ id, username: text, name: text, team_id: text }),
  team: z.object({ id }).nullish(),
  channel: z.object({ id }).nullish(),
  api_app_id: text,
  trigger_id: text,
  response_url: text,
} as const;

const sent = z.object(sender);
type Sent = z.output<typeof sent>;

/** What a payload says of who interacted. */
export function personOf({ user }: Pick<Sent, "user">): { userId: string; userName: string | null } {
  return { userId: user.id, userName: named(user.username) ?? named(user.name) };
}

/** What a payload says of workspace and app. An app of a whole organization names no team but the user's. */
export function originOf(
  { team, user, api_app_id }: Pick<Sent, "team" | "user" | "api_app_id">,
): { teamId: string | null; appId: string | null } {
  return { teamId: team?.id ?? named(user.team_id), appId: named(api_app_id) };
}

/** No rich text is deeper; to write as JSON again what is would exhaust the stack. */
const DEEPEST = 100;

const option = z.object({ value: text }).nullish();
const several = listOf(id).nullish();

/** An input of Block Kit with what was entered (https://docs.slack.dev/reference/block-kit/block-elements). */
export const element = z.object({
  type: id,
  value: text,
  selected_option: option,
  selected_options: listOf(option).nullish(),
  selected_user: text,
  selected_users: several,
  selected_conversation: text,
  selected_conversations: several,
  selected_channel: text,
  selected_channels: several,
  selected_date: text,
  selected_time: text,
  selected_date_time: z.number().nullish(),
  rich_text_value: z.looseObject({})
    .refine((it) => !isDeeper(it, DEEPEST), `is nested more than ${DEEPEST} levels deep`).nullish(),
  files: listOf(z.object({ id })).nullish(),
});

/** What was entered or chosen in an input; which of its fields holds it depends on its type. */
export function valuesOf(it: z.output<typeof element>): string[] {
  return [
    it.value,
    it.selected_option?.value,
    ...(it.selected_options ?? []).map((option) => option?.value),
    it.selected_user,
    ...(it.selected_users ?? []),
    it.selected_conversation,
    ...(it.selected_conversations ?? []),
    it.selected_channel,
    ...(it.selected_channels ?? []),
    it.selected_date,
    it.selected_time,
    it.selected_date_time?.toString(),
    it.rich_text_value && JSON.stringify(it.rich_text_value),
    ...(it.files ?? []).map(({ id }) => id),
  ].flatMap((value) => value ? [value] : []);
}

/** What was entered in the inputs of a message or view, by block id and action id. */
export const state = z.object({ values: recordOf(recordOf(element.transform(valuesOf))).nullish() }).nullish();

/** A modal or the app's home. */
export const view = z.object({
  id,
  type: text,
  callback_id: text,
  external_id: text,
  private_metadata: text,
  title: z.object({ text }).nullish(),
}).transform((it): SlackView => ({
  id: it.id,
  type: named(it.type),
  callbackId: named(it.callback_id),
  externalId: named(it.external_id),
  title: named(it.title?.text),
  privateMetadata: named(it.private_metadata),
}));
