import { z } from "zod";
import { AUDIT_ACTIONS, type AuditEntry, type AuditStore } from "../deps.ts";
import { keys } from "./keys.ts";
import { Records } from "./records.ts";

const entrySchema = z.object({
  id: z.uuid(),
  at: z.iso.datetime().transform((text) => new Date(text)),
  by: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  workspaceId: z.uuid().nullable(),
  subject: z.string(),
  detail: z.string(),
});

/** Entries read at a time. */
const PAGE = 200;

/** The audit in Deno KV: entries are added, and go when they are older than `retentionMs`. */
export function auditStore(kv: Deno.Kv, retentionMs: number): AuditStore {
  const records = new Records(kv);
  return {
    async append(entry) {
      await records.commit([{ key: keys.audit(entry.id), value: entry, expected: null, expireInMs: retentionMs }]);
    },
    async list({ limit, before, workspaceId }) {
      const found: AuditEntry[] = [];
      let end = before === undefined ? undefined : keys.audit(before);
      for (;;) {
        const page = await records.list(keys.audits(), entrySchema, {
          limit: PAGE,
          reverse: true,
          ...(end && { end }),
        });
        const wanted = page.map(({ value }) => value).filter((entry) => {
          return workspaceId === undefined || entry.workspaceId === workspaceId;
        });
        found.push(...wanted.slice(0, limit - found.length));
        end = page.at(-1)?.key;
        if (page.length < PAGE || found.length === limit) return found;
      }
    },
  };
}
