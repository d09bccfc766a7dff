import { z } from "zod";
import type { SessionStore } from "../deps.ts";
import { keys } from "./keys.ts";
import { Records } from "./records.ts";
import { timeSchema } from "./time.ts";
import { unlocked } from "./unlocked.ts";

const sessionSchema = z.object({
  hash: z.string(),
  opener: z.string(),
  expiresAt: timeSchema,
});

/** The dashboard's sessions in Deno KV, which forgets them some time after they have expired. */
export function sessionStore(kv: Deno.Kv, now: () => Date): SessionStore {
  const records = new Records(kv);
  return {
    async create(session) {
      const expireInMs = Math.max(1, session.expiresAt.getTime() - now().getTime());
      await records.commit([{ key: keys.session(session.hash), value: session, expireInMs }]);
    },
    async find(hash) {
      return (await records.get(keys.session(hash), sessionSchema))?.value;
    },
    async remove(hash) {
      await unlocked(() => kv.delete(keys.session(hash)));
    },
  };
}
