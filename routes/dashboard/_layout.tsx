import { Nav } from "../../components/Nav.tsx";
import { ShownWorkspace } from "../../components/WorkspaceField.tsx";
import { define } from "../(_shared)/define.ts";

export default define.page(function DashboardLayout({ Component, url, state }) {
  return (
    <>
      <a href="#content" class="skip">Skip to the content</a>
      {state.workspaceId !== "" && (
        <Nav
          path={url.pathname}
          workspace={state.workspaceName}
          signsIn={state.signsIn}
        />
      )}
      <main id="content" class="mx-auto max-w-6xl p-4">
        <ShownWorkspace.Provider value={state.workspaceId}>
          <Component />
        </ShownWorkspace.Provider>
      </main>
    </>
  );
});
