import { GitlabEventType, isGitlabEventType } from "@inlet/gitlab-events";
import { z } from "zod";
import { ShapeError } from "../kit/mod.ts";

// What an event that was added later calls by these names may be of another kind: then it says nothing of what happened.
const word = z.string().nullish().catch(null);

const headSchema = z.object({
  object_kind: word,
  event_name: word,
  event_type: word,
  action: word,
  status: word,
  build_status: word,
  object_attributes: z.object({
    action: word,
    status: word,
    state: word,
    active: z.boolean().nullish().catch(null),
    noteable_type: word,
  }).nullish().catch(null),
});

type Head = z.output<typeof headSchema>;

/** Where an event says what happened, and to what. */
interface Place {
  readonly entity: string | ((it: Head) => string | undefined);
  readonly word: (it: Head) => string | null | undefined;
}

const action = (it: Head) => it.object_attributes?.action;

const comments = new Map<string | null | undefined, string>([
  ["Commit", "commit_comment"],
  ["Issue", "issue_comment"],
  ["MergeRequest", "pr_comment"],
  ["Snippet", "snippet_comment"],
  ["ProjectSnippet", "snippet_comment"],
]);

/** https://docs.gitlab.com/user/project/integrations/webhook_events/ */
const places = new Map<string, Place>([
  ["access_token", { entity: "access_token", word: (it) => it.event_name }],
  ["build", { entity: "job", word: (it) => it.build_status }],
  ["deploy_token", { entity: "deploy_token", word: (it) => it.event_name }],
  ["deployment", { entity: "deployment", word: (it) => it.status }],
  // What is documented as the action was at first told as the event's type only.
  ["emoji", { entity: "emoji", word: (it) => action(it) ?? it.event_type }],
  ["feature_flag", { entity: "feature_flag", word: (it) => stateOf(it.object_attributes?.active) }],
  ["issue", { entity: "issue", word: action }],
  ["merge_request", { entity: "pr", word: action }],
  ["milestone", { entity: "milestone", word: (it) => it.action }],
  // Before GitLab 16.11 only new comments were told, without an action.
  ["note", { entity: (it) => comments.get(it.object_attributes?.noteable_type), word: (it) => action(it) ?? "create" }],
  ["pipeline", { entity: "pipeline", word: (it) => it.object_attributes?.status }],
  ["release", { entity: "release", word: (it) => it.action }],
  ["vulnerability", { entity: "vulnerability", word: (it) => it.object_attributes?.state }],
  ["wiki_page", { entity: "wiki", word: action }],
  ["work_item", { entity: "work_item", word: action }],
]);

/** Events of groups are told by their name alone. */
const named = new Map<string, string>([
  ["project_create", "repository.created"],
  ["project_destroy", "repository.deleted"],
  ["subgroup_create", "subgroup.created"],
  ["subgroup_destroy", "subgroup.deleted"],
  ["user_access_request_denied_for_group", "member.access_denied"],
  ["user_access_request_to_group", "member.access_requested"],
  ["user_add_to_group", "member.added"],
  ["user_remove_from_group", "member.removed"],
  ["user_update_for_group", "member.updated"],
]);

/** GitLab's verbs as what was done. */
const done = new Map<string | null | undefined, string>([
  ["approval", "approval_added"],
  ["award", "awarded"],
  ["close", "closed"],
  ["create", "created"],
  ["delete", "deleted"],
  ["expiring_access_token", "expiring"],
  ["expiring_deploy_token", "expiring"],
  ["merge", "merged"],
  ["open", "opened"],
  ["reopen", "reopened"],
  ["revoke", "revoked"],
  ["unapproval", "approval_removed"],
  ["update", "updated"],
]);

/** What a body says it is. */
export interface Kind {
  /** GitLab's name of the event. */
  readonly kind: string;
  /** What happened, in GitLab's word; null where it names nothing. */
  readonly action: string | null;
  /** `gitlab.event.received` for what was not documented when this was written; a push tells its types by itself. */
  readonly type: GitlabEventType;
}

/**
 * Reads what a body is, by what GitLab documents for it; nothing is guessed from what else it holds.
 *
 * @throws {ShapeError} if the body does not say
 */
export function kindOf(body: unknown): Kind {
  const head = headSchema.parse(body);
  const kind = head.object_kind || head.event_name;
  if (!kind) {
    throw new ShapeError("Cannot read the delivery: object_kind is missing, so what happened is unknown", [
      { pointer: "/object_kind", detail: "must name the event; a custom webhook template must send GitLab's own body" },
    ]);
  }
  const place = places.get(kind);
  const action = (place ? place.word(head) : head.object_attributes?.action ?? head.action) ?? null;
  const entity = typeof place?.entity === "function" ? place.entity(head) : place?.entity;
  const type = `gitlab.${place ? `${entity}.${done.get(action) ?? action}` : named.get(kind)}`;
  return { kind, action, type: isGitlabEventType(type) ? type : GitlabEventType.EVENT_RECEIVED };
}

function stateOf(active: boolean | null | undefined): string | null {
  if (typeof active !== "boolean") return null;
  return active ? "enabled" : "disabled";
}
