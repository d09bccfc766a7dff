import { z } from "zod";
import { AUDIT_ACTIONS, type AuditEntry, type AuditStore } from "../deps.ts";
import { keys } from "./keys.ts";
import { Records } from "./records.ts";
import { timeSchema } from "./time.ts";

const entrySchema = z.object({
  id: z.uuid(),
  at: timeSchema,
  by: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  workspaceId: z.uuid().nullable(),
  subject: z.string(),
  detail: z.string(),
});

/** The audit in Deno KV: entries are added, and go when they are older than `retentionMs`. */
export function auditStore(kv: Deno.Kv, retentionMs: number): AuditStore {
  const records = new Records(kv);
  return {
    async append(entry) {
      await records.commit([{ key: keys.audit(entry.id), value: entry, expected: null, expireInMs: retentionMs }]);
    },
    async list({ limit, before, workspaceId }) {
      const found: AuditEntry[] = [];
      const options = { reverse: true, ...(before !== undefined && { end: keys.audit(before) }) };
      for await (const { value } of records.each(keys.audits(), entrySchema, options)) {
        if (workspaceId === undefined || value.workspaceId === workspaceId) found.push(value);
        if (found.length === limit) break;
      }
      return found;
    },
  };
}
