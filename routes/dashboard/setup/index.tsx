import { page } from "fresh";
import { Notice } from "../../../components/Notice.tsx";
import { Steps } from "../../../components/Steps.tsx";
import { define } from "../../(_shared)/define.ts";
import { problemOrThrow, readForm } from "../../(_shared)/form.ts";

const NEXT = "/dashboard/setup/source";

interface Data {
  name: string;
  fault: string | undefined;
}

export const handler = define.handlers({
  GET(ctx) {
    if (ctx.state.workspaceId !== "") return ctx.redirect(NEXT, 303);
    ctx.state.title = "Welcome";
    const data: Data = { name: "", fault: undefined };
    return page(data);
  },
  async POST(ctx) {
    if (ctx.state.workspaceId !== "") return ctx.redirect(NEXT, 303);
    ctx.state.title = "Welcome";
    const name = (await readForm(ctx.req)).get("name")?.trim() ?? "";
    try {
      await ctx.state.dashboard.setup.complete(name);
    } catch (error) {
      const { status, detail, errors } = problemOrThrow(ctx.state.dashboard, error);
      const data: Data = { name, fault: errors?.[0]?.detail ?? detail };
      // 409: somebody else was first. There is a workspace, and it is this one's too.
      if (status !== 409) return page(data, { status });
    }
    return ctx.redirect(NEXT, 303);
  },
});

export default define.page<typeof handler>(function SetupName({ data: { name, fault } }) {
  return (
    <div class="wizard">
      <Steps at={1} />
      <h1>Welcome to Inlet</h1>
      <p>
        Inlet takes events in from the services you use, verifies them, and puts them in one shape on one exchange. In
        four steps you see the first one arrive.
      </p>
      {fault !== undefined && <Notice tone="bad" title="The workspace was not created" role="alert" />}
      <form method="post" novalidate class="card form">
        <div class="form-row">
          <label for="name" class="font-medium">Name of the workspace</label>
          <p id="name-hint" class="muted">Connectors and events belong to it. The name of your team will do.</p>
          <input
            id="name"
            name="name"
            class="field"
            value={name}
            required
            autofocus
            autocomplete="organization"
            dir="auto"
            aria-invalid={fault === undefined ? undefined : "true"}
            aria-describedby={fault === undefined ? "name-hint" : "name-hint name-fault"}
          />
          {fault !== undefined && <p id="name-fault" class="fault">It {fault}</p>}
        </div>
        <button type="submit" class="button button-primary">Create the workspace</button>
      </form>
    </div>
  );
});
