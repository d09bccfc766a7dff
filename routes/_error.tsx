import { HttpError } from "fresh";
import { Nav } from "../components/Nav.tsx";
import { define } from "./(_shared)/define.ts";

const MISSING = { heading: "There is no such page", detail: "It was removed, or the address is mistyped." };
const FAILED = { heading: "Something failed", detail: "The service's log says what. Nothing was changed halfway." };

export default define.page(function ErrorPage({ error, state, url }) {
  const status = error instanceof HttpError ? error.status : 500;
  const told = error instanceof HttpError && status !== 404 && status < 500
    ? { heading: "That did not work", detail: error.message }
    : status === 404
    ? MISSING
    : FAILED;
  state.title = told.heading;
  return (
    <>
      {state.workspaceId && <Nav path={url.pathname} workspace={state.workspaceName} signsIn={state.signsIn} />}
      <main id="content" class="mx-auto max-w-xl p-8">
        <p class="muted">{status}</p>
        <h1>{told.heading}</h1>
        <p class="my-4 break-words">{told.detail}</p>
        <a class="button" href="/dashboard">To the dashboard</a>
      </main>
    </>
  );
});
