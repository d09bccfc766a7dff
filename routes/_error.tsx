import { HttpError, page } from "fresh";
import { Nav } from "../components/Nav.tsx";
import { define } from "./(_shared)/define.ts";
import { protection } from "./(_shared)/protection.ts";

const MISSING = { heading: "There is no such page", detail: "It was removed, or the address is mistyped." };
const FAILED = { heading: "Something failed", detail: "The service's log says what." };

function toldOf(error: unknown) {
  const status = error instanceof HttpError ? error.status : 500;
  if (status === 404) return { status, ...MISSING };
  if (!(error instanceof HttpError) || status >= 500) return { status, ...FAILED };
  // Fresh's own refusals say nothing: there are only those of methods that a page does not have.
  const detail = error.message || "This page is not asked for in that way.";
  return { status, heading: "That did not work", detail };
}

export const handler = define.handlers((ctx) => {
  const told = toldOf(ctx.error);
  // Here, since what is around the page is rendered before it.
  ctx.state.title = told.heading;
  // What was thrown did not come back through the middlewares.
  return page(told, { headers: protection() });
});

export default define.page<typeof handler>(function ErrorPage({ data: { status, heading, detail }, state, url }) {
  return (
    <>
      {state.workspaceId && <Nav path={url.pathname} workspace={state.workspaceName} signsIn={state.signsIn} />}
      <main id="content" class="mx-auto max-w-xl p-8">
        <p class="muted">{status}</p>
        <h1>{heading}</h1>
        <p class="my-4 break-words">{detail}</p>
        <a class="button" href="/dashboard">To the dashboard</a>
      </main>
    </>
  );
});
