import type { Subject } from "@inlet/events-core";
import { GiteaEventType, type GiteaGenericPayload } from "@inlet/gitea-events";
import { z } from "zod";
import { firstText, iso, looseNumber, looseText, subject, time, type Told } from "../kit/mod.ts";
import { account, type Context, repository, single, user } from "./input.ts";

/** Anything at Gitea, as far as its essentials go: whatever it is, it calls them by a few common names. */
const thing = z.object({
  id: looseNumber,
  number: looseNumber,
  run_number: looseNumber,
  index_in_repo: looseNumber,
  title: looseText,
  display_title: looseText,
  full_name: looseText,
  name: looseText,
  context: looseText,
  state: looseText,
  status: looseText,
  conclusion: looseText,
  sha: looseText,
  head_sha: looseText,
  commit_sha: looseText,
  html_url: looseText,
  target_url: looseText,
  created_at: time,
  created: time,
  started_at: time,
  completed_at: time,
  stopped: time,
  updated_at: time,
  updated: time,
});

type Thing = z.output<typeof thing>;

const sent = z.object({
  sender: account.catch(null),
  repository: repository.nullish().catch(null),
  organization: user.nullish().catch(null),
  /** Forgejo tells of a run's repository and of who set it off only in the run. */
  run: z.object({ repository: repository.nullish(), trigger_user: account }).nullish().catch(null),
});

const mainObject = thing.nullish().catch(null);

const body = z.record(z.string(), z.unknown()).transform((fields) => {
  const { sender, repository, organization, run } = sent.parse(fields);
  return {
    sender: sender ?? run?.trigger_user,
    repository: repository ?? run?.repository,
    organization,
    fields: new Map(Object.entries(fields)),
  };
});

/** Forgejo's events of Actions are named by what became of a run or job, which stands under the name of its kind. */
const RUN_OR_JOB = /^(?:action|workflow)_(run|job)_/;

/** Makes one draft of any delivery, with the essentials that deliveries have in common. */
export const generic = single(body, (body, { event, action, type }: Context): Told<GiteaGenericPayload> => {
  const { fields, repository, organization } = body;
  // A commit's status is told in the body itself.
  const told = event === "status" ? Object.fromEntries(fields) : fields.get(RUN_OR_JOB.exec(event)?.[1] ?? event);
  const it = mainObject.parse(told);
  const [, entity = event] = type === GiteaEventType.EVENT_RECEIVED ? [] : type.split(".");
  const payload: GiteaGenericPayload = {
    event,
    action,
    ...(it && { object: essentials(entity, it) }),
    ...(repository && { repository }),
    ...(organization && { organization }),
  };
  return { subject: subjectOf(payload), at: it ? timeOf(it, action) : null, payload };
});

function essentials(type: string, it: Thing): NonNullable<GiteaGenericPayload["object"]> {
  return {
    type,
    id: it.id ?? null,
    number: it.number ?? it.run_number ?? it.index_in_repo ?? null,
    name: firstText(it.title, it.display_title, it.full_name, it.name, it.context),
    state: firstText(it.state, it.status),
    conclusion: firstText(it.conclusion),
    sha: firstText(it.sha, it.head_sha, it.commit_sha),
    url: firstText(it.html_url, it.target_url),
    createdAt: iso(it.created_at) ?? iso(it.created),
    updatedAt: iso(it.updated_at) ?? iso(it.updated),
  };
}

function subjectOf({ event, object, repository, organization }: GiteaGenericPayload): Subject {
  if (object && object.id !== null) return subject(object.type, object.id, object.name, object.url);
  if (repository) return subject("repository", repository.id, repository.fullName, repository.url);
  if (organization) return subject("organization", organization.id, organization.login, organization.url);
  return subject("event", event, null, null);
}

/** When an action was done to a thing, as far as the thing's own times tell: a deletion is later than all of them. */
function timeOf(it: Thing, action: string | null): string | null {
  if (action === "deleted") return null;
  if (action === "created") return iso(it.created_at);
  const ended = iso(it.completed_at) ?? iso(it.stopped);
  return ended ?? iso(it.updated_at) ?? iso(it.updated) ?? iso(it.started_at) ?? iso(it.created_at);
}
