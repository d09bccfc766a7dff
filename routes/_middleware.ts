import { HttpError } from "fresh";
import { define } from "./(_shared)/define.ts";
import { problemOrThrow } from "./(_shared)/form.ts";
import { protection } from "./(_shared)/protection.ts";

const protect = define.middleware(async (ctx) => {
  const response = await ctx.next();
  for (const [name, value] of Object.entries(protection(response))) response.headers.set(name, value);
  return response;
});

/** Whoever is not let in is told why, and sees nothing else. */
const refuse = define.middleware((ctx) => {
  const { refusal, dashboard } = ctx.state;
  if (refusal === undefined) return ctx.next();
  const problem = problemOrThrow(dashboard, refusal);
  throw new HttpError(problem.status, problem.detail);
});

export default define.middleware([protect, refuse]);
