/** Where in the body of an event's deliveries its essentials stand. */
export interface Places {
  /**
   * Key of the object that the event is mainly about; {@link WHOLE} if that is the body itself. Default: the event's
   * own name.
   */
  readonly object?: string;
  /** What that object is called; default: as the entity of the event's types. */
  readonly type?: string;
  /** Whether the object's times tell nothing about the event, since it is older than what happened. */
  readonly older?: boolean;
  /** Other objects that it is about: their keys, and what they are called. */
  readonly related?: Readonly<Record<string, string>>;
  /** Lists of objects that it covers: their keys, and what each object in them is called. */
  readonly items?: Readonly<Record<string, string>>;
  /** Keys of single values that make up the event. */
  readonly details?: readonly string[];
  /** Keys of such values in the main object, beside the essentials that all objects have. */
  readonly own?: readonly string[];
  /** Key of what the sender attached. */
  readonly data?: string;
}

/** Stands for the body itself where a {@link Places.object} is named. */
export const WHOLE = "";

/** Of the Enterprise Cloud: somebody asks to pass over a rule, or to dismiss an alert. */
const ofRequest = {
  object: "exemption_request",
  type: "exemption_request",
  own: ["request_type", "requester_login", "requester_comment", "resource_identifier"],
} as const;

const ofRepository = { object: "repository", type: "repository", older: true } as const;

const table: Readonly<Record<string, Places>> = {
  branch_protection_configuration: ofRepository,
  branch_protection_rule: { object: "rule" },
  bypass_request_secret_scanning: ofRequest,
  check_run: { own: ["details_url"] },
  check_suite: { own: ["head_branch"] },
  code_scanning_alert: { object: "alert", details: ["ref", "commit_oid"] },
  commit_comment: { object: "comment", own: ["path", "line"] },
  create: { ...ofRepository, details: ["ref", "ref_type"] },
  custom_property: { object: "definition" },
  custom_property_values: ofRepository,
  delete: { ...ofRepository, details: ["ref", "ref_type"] },
  dependabot_alert: { object: "alert" },
  deploy_key: { object: "key" },
  deployment: { own: ["ref", "task"] },
  deployment_protection_rule: { object: "deployment", type: "deployment", details: ["environment"] },
  deployment_review: { object: "workflow_run", type: "workflow_run", older: true, details: ["environment"] },
  deployment_status: {
    related: { deployment: "deployment", workflow_run: "workflow_run" },
    own: ["description", "environment_url", "log_url", "target_url"],
  },
  discussion: { related: { answer: "discussion_comment", old_answer: "discussion_comment", label: "label" } },
  discussion_comment: { object: "comment", related: { discussion: "discussion" } },
  dismissal_request_code_scanning: ofRequest,
  dismissal_request_dependabot: ofRequest,
  dismissal_request_secret_scanning: ofRequest,
  exemption_request_push_ruleset: ofRequest,
  fork: { object: "forkee" },
  github_app_authorization: { object: "sender", type: "user", older: true },
  gollum: { ...ofRepository, items: { pages: "wiki_page" } },
  installation: { items: { repositories: "repository" }, related: { requester: "user" } },
  installation_repositories: {
    object: "installation",
    type: "installation",
    items: { repositories_added: "repository", repositories_removed: "repository" },
    details: ["repository_selection"],
  },
  installation_target: { object: "account", type: "account", older: true, details: ["target_type"] },
  issue_comment: { object: "comment", related: { issue: "issue" } },
  issue_dependencies: { object: "blocked_issue", type: "issue", older: true, related: { blocking_issue: "issue" } },
  issues: { object: "issue" },
  label: { own: ["color", "description"] },
  marketplace_purchase: { details: ["effective_date"] },
  member: { object: "member", type: "user", older: true },
  membership: { object: "member", type: "user", older: true, related: { team: "team" }, details: ["scope"] },
  merge_group: { details: ["reason"] },
  meta: { object: "hook", type: "hook" },
  milestone: { own: ["description", "due_on"] },
  org_block: { object: "blocked_user", type: "user", older: true },
  organization: { older: true, related: { membership: "membership", invitation: "invitation", user: "user" } },
  package: { own: ["package_type"] },
  page_build: { object: "build", details: ["id"] },
  public: ofRepository,
  pull_request_review: { object: "review", related: { pull_request: "pr" } },
  pull_request_review_comment: {
    object: "comment",
    related: { pull_request: "pr" },
    own: ["path", "line", "in_reply_to_id"],
  },
  pull_request_review_thread: { object: "thread", related: { pull_request: "pr" } },
  push: { ...ofRepository, details: ["ref", "before", "after"] },
  registry_package: { own: ["package_type"] },
  repository_dispatch: { ...ofRepository, details: ["branch"], data: "client_payload" },
  repository_import: { ...ofRepository, details: ["status"] },
  repository_vulnerability_alert: { object: "alert", own: ["affected_package_name", "severity"] },
  secret_scanning_alert: { object: "alert", own: ["secret_type", "resolution"] },
  secret_scanning_alert_location: { object: "alert", type: "secret_scanning_alert", older: true },
  secret_scanning_scan: { object: WHOLE, details: ["type", "source"] },
  security_advisory: { own: ["severity"] },
  security_and_analysis: ofRepository,
  sponsorship: { details: ["effective_date"] },
  star: ofRepository,
  status: { object: WHOLE, details: ["context", "description", "target_url"] },
  sub_issues: { object: "sub_issue", type: "issue", older: true, related: { parent_issue: "issue" } },
  team_add: { object: "team", type: "team" },
  watch: ofRepository,
  workflow_dispatch: { ...ofRepository, details: ["ref", "workflow"], data: "inputs" },
  workflow_job: {
    related: { deployment: "deployment" },
    own: ["run_id", "run_attempt", "workflow_name", "head_branch"],
  },
};

const places = new Map(Object.entries(table));

/** Where the essentials of an event stand; for an event that is not known, what it is named after. */
export function placesOf(event: string): Places {
  return places.get(event) ?? {};
}
