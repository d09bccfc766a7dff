import type { Subject } from "@inlet/events-core";
import {
  GITHUB_ACTIONS,
  GITHUB_EVENTS_WITHOUT_ACTION,
  githubEntity,
  GithubEventType,
  type GithubGenericPayload,
  type GithubObject,
} from "@inlet/github-events";
import { z } from "zod";
import { type EventDraft, instant, subject } from "../kit/mod.ts";
import { actorOf, type Context, recipient } from "./draft.ts";
import { envelope, repository } from "./input.ts";
import { placesOf } from "./places.ts";
import { readerOf } from "./reader.ts";
import { essentials, momentOf } from "./thing.ts";

const sent = z.object({ ...envelope, repository: repository.nullish() });
const readers = new Map(
  [...Object.keys(GITHUB_ACTIONS), ...Object.keys(GITHUB_EVENTS_WITHOUT_ACTION)]
    .map((event) => [event, readerOf(event, { documented: true })]),
);

/** Makes one draft of any delivery, with the essentials that deliveries have in common. */
export function generic(input: unknown, { event, action, type, delivery }: Context): readonly EventDraft[] {
  const body = sent.parse(input);
  const known = type === GithubEventType.EVENT_RECEIVED ? undefined : readers.get(event);
  const { object, parts } = (known ?? readerOf(event, { documented: false }))(input);
  const places = placesOf(event);
  const told = object === null ? undefined : essentials(places.type ?? githubEntity(event), object);
  const payload: GithubGenericPayload = {
    event,
    action,
    ...(told && { object: told }),
    ...parts,
    ...(body.repository && { repository: body.repository }),
    ...recipient(body),
  };
  const at = object === null || places.older ? null : momentOf(object, action);
  const id = delivery.headers.get("x-github-delivery") ?? event;
  return [{
    type,
    occurredAt: instant(at, delivery.receivedAt),
    actor: actorOf(body.sender),
    subject: subjectOf(payload) ?? subject("event", id, event, null),
    payload,
  }];
}

function subjectOf({ object, repository, organization }: GithubGenericPayload): Subject | undefined {
  const id = object && idOf(object, repository);
  if (object && id !== undefined) return subject(object.type, id, object.name, object.url);
  if (repository) return subject("repository", repository.id, repository.fullName, repository.url);
  return organization && subject("organization", organization.id, organization.login, null);
}

/** Alerts have a number within their repository and no id. */
function idOf({ id, number }: GithubObject, repository: GithubGenericPayload["repository"]): string | undefined {
  if (id !== null) return String(id);
  return number !== null && repository ? `${repository.id}#${number}` : undefined;
}
