import type { Subject } from "@inlet/events-core";
import { GitlabEventType, type GitlabGenericPayload } from "@inlet/gitlab-events";
import { z } from "zod";
import { firstText, iso, looseNumber, looseText, subject, time, type Told } from "../kit/mod.ts";
import { type Context, project, single, user } from "./input.ts";

/** Anything at GitLab, as far as its essentials go: whatever it is, it calls them by a few common names. */
const thing = z.object({
  id: z.union([z.number(), z.string().min(1)]).nullish().catch(null),
  build_id: looseNumber,
  deployment_id: looseNumber,
  group_id: looseNumber,
  project_id: looseNumber,
  user_id: looseNumber,
  iid: looseNumber,
  title: looseText,
  path_with_namespace: looseText,
  full_path: looseText,
  name: looseText,
  user_username: looseText,
  build_name: looseText,
  environment: looseText,
  state: looseText,
  status: looseText,
  group_access: looseText,
  build_status: looseText,
  severity: looseText,
  description: looseText,
  url: looseText,
  awarded_on_url: looseText,
  created_at: time,
  updated_at: time,
  expires_at: time,
});

type Thing = z.output<typeof thing>;

const group = z.object({ group_id: z.number(), full_path: looseText, group_path: looseText, group_name: looseText })
  .transform(({ group_id, full_path, group_path, group_name }) => ({
    id: group_id,
    fullName: full_path || group_path || String(group_id),
    name: group_name ?? null,
  })).nullish().catch(null);

const body = z.object({
  user: user.nullish().catch(null),
  project: project.nullish().catch(null),
  group,
  object_attributes: thing.nullish().catch(null),
});

/** Members, projects and subgroups are told in the body itself, under names of their own. */
const ids = new Map<string | undefined, (it: Thing) => number | null | undefined>([
  ["deployment", (it) => it.deployment_id],
  ["job", (it) => it.build_id],
  ["member", (it) => it.user_id],
  ["repository", (it) => it.project_id],
  ["subgroup", (it) => it.group_id],
]);

const whole = z.unknown().transform((input) => ({
  ...body.parse(input),
  thing: thing.parse(input),
  /** A member's event is one of the group that it names. */
  ownGroup: group.parse(input),
}));

/** Makes one draft of any delivery, with the essentials that deliveries have in common. */
export const generic = single(whole, (body, { kind, action, type }: Context): Told<GitlabGenericPayload> => {
  const { object_attributes, project, thing: told } = body;
  const [, entity, done] = type === GitlabEventType.EVENT_RECEIVED ? [] : type.split(".");
  const object = essentials(entity ?? kind, object_attributes ?? told, ids.get(entity));
  const group = body.group ?? (entity === "member" ? body.ownGroup : null);
  const payload: GitlabGenericPayload = {
    event: kind,
    action,
    object,
    ...(project && { repository: project }),
    ...(group && { group }),
  };
  return { subject: subjectOf(payload), at: timeOf(object, done), payload };
});

function essentials(
  type: string,
  it: Thing,
  idOf: (it: Thing) => number | null | undefined = () => undefined,
): GitlabGenericPayload["object"] {
  return {
    type,
    id: idOf(it) ?? it.id ?? null,
    number: it.iid ?? null,
    name: firstText(
      it.title,
      it.path_with_namespace,
      it.full_path,
      it.name,
      it.user_username,
      it.build_name,
      it.environment,
    ),
    state: firstText(it.state, it.status, it.group_access, it.build_status),
    severity: firstText(it.severity),
    body: firstText(it.description),
    url: firstText(it.url, it.awarded_on_url),
    createdAt: iso(it.created_at),
    updatedAt: iso(it.updated_at),
    expiresAt: iso(it.expires_at),
  };
}

/** A vulnerability has no number here, only its page. */
function subjectOf({ event, object, repository, group }: GitlabGenericPayload): Subject {
  const id = object.id ?? object.url;
  if (id !== null) return subject(object.type, id, object.name, object.url);
  if (repository) return subject("repository", repository.id, repository.fullName, repository.url);
  return group ? subject("group", group.id, group.fullName, null) : subject("event", event, null, null);
}

const MAKING = ["added", "awarded", "created", "detected"];
const ENDING = ["deleted", "removed", "revoked"];

/** When it happened, as far as the thing's own times tell: of an end they are all from before it. */
function timeOf({ createdAt, updatedAt }: GitlabGenericPayload["object"], done: string | undefined): string | null {
  if (done === undefined) return updatedAt;
  if (MAKING.includes(done)) return createdAt;
  return ENDING.includes(done) ? null : updatedAt;
}
