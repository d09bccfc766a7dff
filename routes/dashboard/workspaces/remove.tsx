import { page } from "fresh";
import { Notice } from "../../../components/Notice.tsx";
import { define } from "../../(_shared)/define.ts";
import { readWorkspaceForm } from "../../(_shared)/form.ts";
import { WorkspaceField } from "../../../components/WorkspaceField.tsx";

const HERE = "/dashboard/workspaces";

interface Data {
  name: string;
  fault: string | undefined;
}

export const handler = define.handlers({
  GET(ctx) {
    ctx.state.title = "Remove the workspace";
    const data: Data = { name: ctx.state.workspaceName, fault: undefined };
    return page(data);
  },
  async POST(ctx) {
    const { workspaceName: name, workspaceId, dashboard } = ctx.state;
    ctx.state.title = "Remove the workspace";
    if ((await readWorkspaceForm(ctx)).get("name")?.trim() !== name.trim()) {
      const data: Data = { name, fault: "That is not its name" };
      return page(data, { status: 422 });
    }
    await dashboard.workspaceAdmin.remove(workspaceId);
    return ctx.redirect(`${HERE}?done=removed`, 303);
  },
});

export default define.page<typeof handler>(function RemoveWorkspace({ data: { name, fault } }) {
  return (
    <div class="wizard">
      <h1 class="wrap-anywhere">
        Remove the workspace <bdi>{name}</bdi>?
      </h1>
      {fault !== undefined && <Notice tone="bad" title="It was not removed" role="alert" />}
      <form method="post" class="card form">
        <WorkspaceField />
        <p>
          Its connectors, secrets, API keys, kept deliveries and recent events go, and cannot be brought back. Its
          webhook URLs are unknown from then on: whatever is still sent to them is refused with 404.
        </p>
        <div class="form-row">
          <label for="name" class="font-medium wrap-anywhere">
            To remove it, type its name: <bdi>{name}</bdi>
          </label>
          <input
            id="name"
            name="name"
            class="field"
            required
            autocomplete="off"
            dir="auto"
            aria-invalid={fault === undefined ? undefined : "true"}
            aria-describedby={fault === undefined ? undefined : "name-fault"}
          />
          {fault !== undefined && <p id="name-fault" class="fault">{fault}</p>}
        </div>
        <div class="flex flex-wrap gap-2">
          <button type="submit" class="button button-danger">Remove it</button>
          <a href={HERE} class="button">Keep it</a>
        </div>
      </form>
    </div>
  );
});
