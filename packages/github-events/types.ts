import { GITHUB_ACTIONS, GITHUB_ENTITIES, GITHUB_EVENTS_WITHOUT_ACTION, GITHUB_PUSH_OUTCOMES } from "./events.ts";

type Actions = typeof GITHUB_ACTIONS;
type Entities = typeof GITHUB_ENTITIES;
type EntityOf<Event extends string> = Event extends keyof Entities ? Entities[Event] : Event;

type Outcome =
  | { [Event in keyof Actions]: `${EntityOf<Event>}.${Actions[Event][number]}` }[keyof Actions]
  | (typeof GITHUB_EVENTS_WITHOUT_ACTION)[keyof typeof GITHUB_EVENTS_WITHOUT_ACTION]
  | (typeof GITHUB_PUSH_OUTCOMES)[number]
  | "event.received";

/** Any event type that the GitHub connector can emit, such as `"github.pr.opened"`. The list is closed. */
export type GithubEventType = `github.${Outcome}`;

type ConstantName<Type extends string> = Type extends `github.${infer Entity}.${infer Action}`
  ? `${Uppercase<Entity>}_${Uppercase<Action>}`
  : never;

type Constants = { readonly [Type in GithubEventType as ConstantName<Type>]: Type };

const actionsOf = new Map<string, readonly string[]>(Object.entries(GITHUB_ACTIONS));
const entityOf = new Map<string, string>(Object.entries(GITHUB_ENTITIES));
const outcomeOf = new Map<string, string>(Object.entries(GITHUB_EVENTS_WITHOUT_ACTION));

/** What the thing that a GitHub event concerns is called in event types: `pr` for `pull_request`, mostly the same. */
export function githubEntity(event: string): string {
  return entityOf.get(event) ?? event;
}

/** The documented actions of a GitHub event; none for an event that has no action, or is not known. */
export function githubActions(event: string): readonly string[] {
  return actionsOf.get(event) ?? [];
}

/**
 * The event types by name: `GithubEventType.PR_OPENED` is `"github.pr.opened"`, `GithubEventType.COMMIT_PUSHED` is
 * `"github.commit.pushed"`, and so on. `GithubEventType.EVENT_RECEIVED` stands for what GitHub adds after this version
 * of the package: an event or an action not documented when it was made.
 */
export const GithubEventType: Constants = constants([
  ...[...actionsOf].flatMap(([event, actions]) => actions.map((action) => `${githubEntity(event)}.${action}`)),
  ...outcomeOf.values(),
  ...GITHUB_PUSH_OUTCOMES,
  "event.received",
]);

/** Every event type that the GitHub connector can emit, sorted. */
export const githubEventTypes: readonly GithubEventType[] = Object.values(GithubEventType).sort();

const known = new Set<string>(githubEventTypes);

/** Tells whether a type is one that the GitHub connector of this version can emit. */
export function isGithubEventType(type: string): type is GithubEventType {
  return known.has(type);
}

/**
 * The event type of a delivery, by GitHub's name of the event (`X-GitHub-Event`) and its action. What is not documented
 * is `github.event.received`, and so is `push`, whose types depend on what was pushed.
 */
export function githubEventType(event: string, action: string | null): GithubEventType {
  const named = action !== null && githubActions(event).includes(action)
    ? `${githubEntity(event)}.${action}`
    : undefined;
  const type = `github.${outcomeOf.get(event) ?? named}`;
  return isGithubEventType(type) ? type : GithubEventType.EVENT_RECEIVED;
}

// TypeScript cannot follow names made at run time: the first signature states what the types above derive, a test proves
// that the value agrees.
function constants(outcomes: readonly string[]): Constants;
function constants(outcomes: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    outcomes.map((outcome) => [outcome.replace(".", "_").toUpperCase(), `github.${outcome}`]),
  );
}
