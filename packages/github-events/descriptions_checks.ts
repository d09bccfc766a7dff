/** What the types around checks, workflows and deployments mean. */
export const CHECKS = {
  "github.check_run.completed": "A check of a commit ended; payload.object.conclusion tells how.",
  "github.check_run.created": "A check of a commit was begun by an app.",
  "github.check_run.requested_action":
    "Somebody pressed a button that an app shows beside its check, such as Fix this.",
  "github.check_run.rerequested": "Somebody asked for a check to be run again.",
  "github.check_suite.completed": "All checks that an app runs for a commit have ended.",
  "github.check_suite.requested": "New commits were pushed, and an app is asked to check them.",
  "github.check_suite.rerequested": "Somebody asked for all checks of an app to be run again.",
  "github.deployment.created": "A deployment of a commit, branch or tag to an environment was asked for.",
  "github.deployment_protection_rule.requested":
    "A workflow reached an environment that an app protects, and waits for the app to let it pass.",
  "github.deployment_review.approved": "A deployment that waited for a review was let pass.",
  "github.deployment_review.rejected": "A deployment that waited for a review was turned down.",
  "github.deployment_review.requested": "A deployment waits for one of its reviewers.",
  "github.deployment_status.created": "A deployment got a new status, such as in progress, success or failure.",
  "github.repository_dispatch.triggered":
    "A program sent an event of its own to the repository by GitHub's API, to set off workflows.",
  "github.status.updated": "A commit got a status from an outside service: pending, success, failure or error.",
  "github.workflow_dispatch.triggered": "A workflow was started by hand or by the API, with inputs.",
  "github.workflow_job.completed": "A job of GitHub Actions ended, whatever its result.",
  "github.workflow_job.in_progress": "A runner took a job of GitHub Actions and began to work on it.",
  "github.workflow_job.queued": "A job of GitHub Actions was created and waits for a runner.",
  "github.workflow_job.waiting": "A job of GitHub Actions waits for the protection rules of its environment.",
  "github.workflow_run.completed": "A run of a workflow ended; payload.workflowRun.conclusion tells how.",
  "github.workflow_run.in_progress": "A run of a workflow began to work.",
  "github.workflow_run.requested": "A run of a workflow was asked for, by whatever sets it off.",
} as const;
