import { Nav } from "../../components/Nav.tsx";
import { define } from "../(_shared)/define.ts";

export default define.page(function DashboardLayout({ Component, url, state }) {
  return (
    <>
      <a href="#content" class="skip">Skip to the content</a>
      {state.workspaceId !== "" && <Nav path={url.pathname} />}
      <main id="content" class="mx-auto max-w-6xl p-4">
        <Component />
      </main>
    </>
  );
});
