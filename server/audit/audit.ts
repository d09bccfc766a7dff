import { getLogger } from "@logtape/logtape";
import { v7 as uuidv7 } from "uuid";
import { actingName } from "../access/acting.ts";
import type { AuditEntry, AuditStore } from "../deps.ts";

/** Something that was done, or tried; `detail` is empty unless it is given. */
export type AuditNote = Pick<AuditEntry, "action" | "workspaceId" | "subject"> & Partial<Pick<AuditEntry, "detail">>;

/** The account of who changed what, and when. */
export interface Audit {
  /** Takes note of something that was done just now, by whoever the request is from. */
  note(note: AuditNote): Promise<void>;
  /** Newest first; see {@link AuditStore.list}. */
  list: AuditStore["list"];
}

const log = getLogger(["inlet", "audit"]);

/** Makes the account. What it cannot write it says in the log: what was done is done. */
export function createAudit({ audit, now }: { audit: AuditStore; now: () => Date }): Audit {
  // Entries of one millisecond stay in order.
  let sequence = 0;
  return {
    async note({ detail = "", ...note }) {
      const at = now();
      const entry = { id: uuidv7({ msecs: at.getTime(), seq: sequence++ }), at, by: actingName(), ...note, detail };
      log.info("{by}: {action} {subject}", { by: entry.by, action: entry.action, subject: entry.subject });
      await audit.append(entry).catch((error) => log.error("cannot write the audit: {error}", { error }));
    },
    list: (page) => audit.list(page),
  };
}
