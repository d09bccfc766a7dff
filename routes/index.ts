import { define } from "./(_shared)/define.ts";

/** The dashboard is all that there is to see. */
export const handler = define.handlers({ GET: (ctx) => ctx.redirect("/dashboard", 302) });
