/** What the types around security and protection mean. */
export const SECURITY = {
  "github.branch_protection_configuration.disabled": "All branch protections of the repository were switched off.",
  "github.branch_protection_configuration.enabled": "The branch protections of the repository were switched on again.",
  "github.branch_protection_rule.created": "A rule that protects branches was made.",
  "github.branch_protection_rule.deleted": "A rule that protects branches was deleted.",
  "github.branch_protection_rule.edited": "A rule that protects branches was changed.",
  "github.code_scanning_alert.appeared_in_branch":
    "An alert of code scanning that was known from one branch was found in another.",
  "github.code_scanning_alert.closed_by_user": "Somebody dismissed an alert of code scanning, with a reason.",
  "github.code_scanning_alert.created": "Code scanning found something for the first time.",
  "github.code_scanning_alert.fixed": "Code scanning no longer finds what an alert was about: the code was mended.",
  "github.code_scanning_alert.reopened": "Code scanning found again what was fixed before.",
  "github.code_scanning_alert.reopened_by_user": "Somebody opened a dismissed alert of code scanning again.",
  "github.dependabot_alert.auto_dismissed": "A rule of Dependabot dismissed an alert by itself.",
  "github.dependabot_alert.auto_reopened":
    "An alert that a rule of Dependabot had dismissed was opened again by itself.",
  "github.dependabot_alert.created": "Dependabot found a dependency with a known vulnerability.",
  "github.dependabot_alert.dismissed": "Somebody dismissed an alert of Dependabot, with a reason.",
  "github.dependabot_alert.fixed": "The vulnerable dependency of an alert was updated or removed.",
  "github.dependabot_alert.reintroduced": "A vulnerable dependency that was fixed came back.",
  "github.dependabot_alert.reopened": "Somebody opened a dismissed alert of Dependabot again.",
  "github.repository_advisory.published": "The repository published a security advisory.",
  "github.repository_advisory.reported":
    "Somebody reported a vulnerability to the repository's maintainers in private.",
  "github.repository_ruleset.created": "A set of rules for branches, tags or pushes was made.",
  "github.repository_ruleset.deleted": "A set of rules for branches, tags or pushes was deleted.",
  "github.repository_ruleset.edited": "A set of rules for branches, tags or pushes was changed.",
  "github.repository_vulnerability_alert.create":
    "A vulnerable dependency was found, in the older form that dependabot_alert has taken the place of.",
  "github.repository_vulnerability_alert.dismiss": "A vulnerability alert of the older form was dismissed.",
  "github.repository_vulnerability_alert.reopen": "A vulnerability alert of the older form was opened again.",
  "github.repository_vulnerability_alert.resolve": "What a vulnerability alert of the older form told of was resolved.",
  "github.secret_scanning_alert.assigned": "Somebody was made responsible for an alert of secret scanning.",
  "github.secret_scanning_alert.created": "Secret scanning found a credential in the repository.",
  "github.secret_scanning_alert.publicly_leaked": "A credential that was found before turned up in a public place.",
  "github.secret_scanning_alert.reopened": "A resolved alert of secret scanning was opened again.",
  "github.secret_scanning_alert.resolved":
    "An alert of secret scanning was closed: as revoked, a false positive, used in tests, or not to be fixed.",
  "github.secret_scanning_alert.unassigned": "Somebody is no longer responsible for an alert of secret scanning.",
  "github.secret_scanning_alert.validated":
    "GitHub checked with the issuer whether a credential that leaked still works.",
  "github.secret_scanning_alert_location.created":
    "A credential that is known to have leaked was found in another place.",
  "github.secret_scanning_scan.completed": "A scan for credentials ended, of the whole history or for new patterns.",
  "github.security_advisory.published": "GitHub's advisory database got an advisory about a vulnerable package.",
  "github.security_advisory.updated": "An advisory in GitHub's advisory database was changed.",
  "github.security_advisory.withdrawn": "An advisory in GitHub's advisory database was withdrawn.",
  "github.security_and_analysis.updated": "Security features of the repository were switched on or off.",
} as const;
