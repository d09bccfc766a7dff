import { page } from "fresh";
import { Notice } from "../../components/Notice.tsx";
import { setCookie } from "../(_shared)/cookies.ts";
import { define } from "../(_shared)/define.ts";
import { problemOrThrow, readForm } from "../(_shared)/form.ts";

/** Where people wanted to go; only ever a page of ours. */
function destinationOf({ searchParams }: URL): string {
  const base = "http://inlet.invalid";
  const to = URL.parse(searchParams.get("to") ?? "", base);
  // As a URL is written, it fits into a header.
  const isPage = to?.origin === base && /^\/dashboard(?:\/(?!sign-)|$)/.test(to.pathname);
  return isPage ? `${to.pathname}${to.search}` : "/dashboard";
}

interface Data {
  fault: string | undefined;
  /** Whether a form was sent after the session had ended. */
  unsent: boolean;
}

export const handler = define.handlers({
  GET(ctx) {
    if (!ctx.state.dashboard.access.signsIn) return ctx.redirect("/dashboard", 303);
    ctx.state.title = "Sign in";
    const data: Data = { fault: undefined, unsent: ctx.url.searchParams.has("unsent") };
    return page(data);
  },
  async POST(ctx) {
    const { dashboard } = ctx.state;
    ctx.state.title = "Sign in";
    const token = (await readForm(ctx.req)).get("token")?.trim() ?? "";
    try {
      const { remoteAddr } = ctx.info;
      const peer = "hostname" in remoteAddr ? remoteAddr.hostname : undefined;
      const session = await dashboard.access.signIn(token, peer);
      const response = ctx.redirect(destinationOf(ctx.url), 303);
      const cookie = setCookie(ctx.req, dashboard.access.sessionCookie, session.token, { expires: session.expiresAt });
      response.headers.append("set-cookie", cookie);
      return response;
    } catch (error) {
      const { status, detail } = problemOrThrow(dashboard, error);
      const data: Data = { fault: detail, unsent: ctx.url.searchParams.has("unsent") };
      return page(data, { status });
    }
  },
});

export default define.page<typeof handler>(function SignIn({ data: { fault, unsent } }) {
  return (
    <div class="wizard">
      <h1>Sign in to Inlet</h1>
      {unsent && (
        <Notice tone="warn" title="Nothing was changed: you were signed out" role="alert">
          <p>What you sent was not taken. Sign in, and send it once more.</p>
        </Notice>
      )}
      {fault !== undefined && (
        <Notice tone="bad" title="You are not signed in" role="alert">
          <p id="token-fault">{fault}</p>
        </Notice>
      )}
      <form method="post" class="card form">
        <div class="form-row">
          <label for="token" class="font-medium">Admin token</label>
          <p id="token-hint" class="muted">
            The value of <code>ADMIN_TOKEN</code> that the service was started with.
          </p>
          <input
            id="token"
            name="token"
            type="password"
            class="field"
            required
            autofocus
            autocomplete="current-password"
            aria-invalid={fault === undefined ? undefined : "true"}
            aria-describedby={fault === undefined ? "token-hint" : "token-hint token-fault"}
          />
        </div>
        <button type="submit" class="button button-primary">Sign in</button>
      </form>
    </div>
  );
});
