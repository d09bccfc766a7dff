import type { Subject } from "@inlet/events-core";
import { GiteaEventType, type GiteaGenericPayload } from "@inlet/gitea-events";
import { z } from "zod";
import { subject, type Told } from "../kit/mod.ts";
import { account, type Context, repository, single, user, when } from "./input.ts";

// A thing may use one of these names for something of another kind: then it has no such essential, and is not refused.
const word = z.string().nullish().catch(null);
const count = z.number().nullish().catch(null);
const anything = z.unknown().optional();

/** Anything at Gitea, as far as its essentials go: whatever it is, it calls them by a few common names. */
const thing = z.object({
  id: count,
  number: count,
  run_number: count,
  index_in_repo: count,
  title: word,
  display_title: word,
  full_name: word,
  name: word,
  context: word,
  state: word,
  status: word,
  conclusion: word,
  sha: word,
  head_sha: word,
  commit_sha: word,
  html_url: word,
  target_url: word,
  created_at: anything,
  created: anything,
  started_at: anything,
  completed_at: anything,
  stopped: anything,
  updated_at: anything,
  updated: anything,
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

/** Where an event's main object stands, if not under the event's own name. */
const places = new Map<string, string>([
  ["action_run_failure", "run"],
  ["action_run_recover", "run"],
  ["action_run_success", "run"],
]);

/** Makes one draft of any delivery, with the essentials that deliveries have in common. */
export const generic = single(body, (body, { event, action, type }: Context): Told<GiteaGenericPayload> => {
  const { fields, repository, organization } = body;
  // A commit's status is told in the body itself.
  const told = event === "status" ? Object.fromEntries(fields) : fields.get(places.get(event) ?? event);
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
    name: first(it.title, it.display_title, it.full_name, it.name, it.context),
    state: first(it.state, it.status),
    conclusion: first(it.conclusion),
    sha: first(it.sha, it.head_sha, it.commit_sha),
    url: first(it.html_url, it.target_url),
    createdAt: when(it.created_at) ?? when(it.created),
    updatedAt: when(it.updated_at) ?? when(it.updated),
  };
}

/** The first that is text and not empty. */
function first(...candidates: (string | null | undefined)[]): string | null {
  return candidates.find((it) => it) || null;
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
  if (action === "created") return when(it.created_at);
  const ended = when(it.completed_at) ?? when(it.stopped);
  return ended ?? when(it.updated_at) ?? when(it.updated) ?? when(it.started_at) ?? when(it.created_at);
}
