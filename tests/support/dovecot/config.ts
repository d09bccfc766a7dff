/** The configuration of a private Dovecot: all in one folder, on its own ports, without the system's files. */

import type { Certificates } from "./certificates.ts";

/** A user of this machine, and the user's group. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  readonly user: string;
  readonly group: string;
}

/** What a private Dovecot is made with. */
export interface DovecotPlace {
  readonly folder: string;
  readonly certificates: Certificates;
  /** Port of IMAP, with STARTTLS. */
  readonly imap: number;
  /** Port of IMAP over TLS. */
  readonly imaps: number;
  /** Who owns the mails; not root. */
  readonly owner: Account;
  /** Whether root starts it. */
  readonly asRoot: boolean;
}

// Started by somebody else than root, Dovecot can change neither its user nor its root folder.
const rootless = ({ user, group }: Account) =>
  `default_internal_user = ${user}
default_login_user = ${user}
default_internal_group = ${group}
service imap-login {
  chroot =
}
service anvil {
  chroot =
}
`;

/** Writes the configuration file's text. Mails lie in Maildirs under `<folder>/mail/<user>`, the log in `log`. */
export function dovecotConfig({ folder, certificates, imap, imaps, owner, asRoot }: DovecotPlace): string {
  return `base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${certificates.certificate}
ssl_key = <${certificates.key}
auth_failure_delay = 0
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
mail_location = maildir:${folder}/mail/%u
first_valid_uid = ${owner.uid}
first_valid_gid = ${owner.gid}
passdb {
  driver = passwd-file
  args = scheme=plain username_format=%u ${folder}/users
}
userdb {
  driver = static
  args = uid=${owner.uid} gid=${owner.gid} home=${folder}/mail/%u
}
service imap-login {
  inet_listener imap {
    port = ${imap}
  }
  inet_listener imaps {
    port = ${imaps}
    ssl = yes
  }
}
${asRoot ? "" : rootless(owner)}`;
}
