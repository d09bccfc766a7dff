import { setCookie } from "../(_shared)/cookies.ts";
import { define } from "../(_shared)/define.ts";

/** Ends the session, here and in the browser. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect("/dashboard", 303),
  async POST(ctx) {
    const { access } = ctx.state.dashboard;
    await access.signOut(ctx.req);
    const response = ctx.redirect("/dashboard/sign-in", 303);
    response.headers.append("set-cookie", setCookie(ctx.req, access.sessionCookie, "", { expires: new Date(0) }));
    return response;
  },
});
