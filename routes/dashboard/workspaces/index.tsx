import { HttpError, page } from "fresh";
import { Notice } from "../../../components/Notice.tsx";
import { type KeyRow, KeyTable } from "../../../components/KeyTable.tsx";
import { type WorkspaceRow, WorkspaceTable } from "../../../components/WorkspaceTable.tsx";
import { CopyField } from "../../(_shared)/CopyField.tsx";
import { setCookie } from "../../(_shared)/cookies.ts";
import { define, type State, WORKSPACE_COOKIE } from "../../(_shared)/define.ts";
import { problemOrThrow, readWorkspaceForm } from "../../(_shared)/form.ts";
import { WorkspaceField } from "../../../components/WorkspaceField.tsx";

const HERE = "/dashboard/workspaces";
const DONE = new Map([
  ["created", "The workspace was created"],
  ["renamed", "The workspace was renamed"],
  ["removed", "The workspace was removed, with all that was in it"],
  ["revoked", "The key was revoked"],
]);

interface Data {
  workspaces: readonly WorkspaceRow[];
  shownId: string;
  shownName: string;
  keys: readonly KeyRow[];
  signsIn: boolean;
  now: Date;
  done: string | undefined;
  fault: string | undefined;
  newKey: { name: string; secret: string } | undefined;
}

async function read(state: State, told: Partial<Pick<Data, "done" | "fault" | "newKey">>): Promise<Data> {
  const { dashboard: { workspaceAdmin }, workspaceId, workspaceName, signsIn } = state;
  state.title = "Workspaces";
  return {
    workspaces: await workspaceAdmin.list(),
    shownId: workspaceId,
    shownName: workspaceName,
    keys: await workspaceAdmin.keys(workspaceId),
    signsIn,
    now: new Date(),
    done: undefined,
    fault: undefined,
    newKey: undefined,
    ...told,
  };
}

/** @throws {HttpError} 404 if there is no such workspace: what is typed does not get into a cookie */
async function idOf({ dashboard }: State, workspaceId: string): Promise<string> {
  const found = (await dashboard.workspaceAdmin.list()).find(({ id }) => id === workspaceId);
  if (found === undefined) throw new HttpError(404);
  return found.id;
}

export const handler = define.handlers({
  async GET(ctx) {
    return page(await read(ctx.state, { done: DONE.get(ctx.url.searchParams.get("done") ?? "") }));
  },
  async POST(ctx) {
    const { dashboard, dashboard: { workspaceAdmin } } = ctx.state;
    const form = await readWorkspaceForm(ctx);
    const text = (name: string) => form.get(name) ?? "";
    const show = (workspaceId: string, to: string) => {
      const response = ctx.redirect(to, 303);
      response.headers.append("set-cookie", setCookie(ctx.req, WORKSPACE_COOKIE, workspaceId));
      return response;
    };
    try {
      switch (text("do")) {
        case "show":
          return show(await idOf(ctx.state, text("workspaceId")), "/dashboard");
        case "create":
          return show((await workspaceAdmin.create(text("name"))).id, `${HERE}?done=created`);
        case "rename":
          await workspaceAdmin.rename(ctx.state.workspaceId, text("name"));
          return ctx.redirect(`${HERE}?done=renamed`, 303);
        case "revoke":
          await workspaceAdmin.revokeKey(ctx.state.workspaceId, text("keyId"));
          return ctx.redirect(`${HERE}?done=revoked`, 303);
      }
      const scope = text("scope") === "manage" ? "manage" : "read";
      const { key, secret } = await workspaceAdmin.createKey(ctx.state.workspaceId, text("name"), scope);
      return page(await read(ctx.state, { newKey: { name: key.name, secret } }));
    } catch (error) {
      const { status, detail, errors } = problemOrThrow(dashboard, error);
      const fault = errors?.map(({ detail }) => `The name ${detail}`).join("; ") ?? detail;
      return page(await read(ctx.state, { fault }), { status });
    }
  },
});

export default define.page<typeof handler>(function WorkspacesPage({ data }) {
  const { workspaces, shownId, shownName, keys, signsIn, now, done, fault, newKey } = data;
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Workspaces</h1>
          <p class="muted">
            Each has connectors, events and API keys of its own, and sees nothing of the others.{" "}
            <a href="/dashboard/audit">Who changed what</a>
          </p>
        </div>
      </div>
      {done !== undefined && <Notice tone="good" title={done} role="status" />}
      {fault !== undefined && (
        <Notice tone="bad" title="Nothing was changed" role="alert">
          <p>{fault}</p>
        </Notice>
      )}
      {newKey !== undefined && (
        <Notice tone="good" title={`The key ${newKey.name} was made`} role="status">
          <p class="mb-2">It is shown here and never again: copy it now.</p>
          <CopyField id="new-key" label="API key" text={newKey.secret} />
        </Notice>
      )}
      <div class="two-columns">
        <section class="card">
          <h2>All workspaces</h2>
          <WorkspaceTable rows={workspaces} shownId={shownId} now={now} />
          <NameForm verb="create" label="Name of a new workspace" button="Create" value="" />
        </section>
        <section class="card">
          <h2>This workspace</h2>
          <NameForm verb="rename" label="Name" button="Rename" value={shownName} />
          <p class="muted mt-3">
            Id: <code class="break-all">{shownId}</code>
          </p>
          <p class="mt-3">
            <a href={`${HERE}/remove`}>Remove this workspace</a>
          </p>
        </section>
      </div>
      <section class="card mt-4">
        <h2>API keys of this workspace</h2>
        <p class="muted">
          A program sends one as{" "}
          <code>Authorization: Bearer</code>. With "read" it can follow the events and see the settings, with "manage"
          change them too.
          {!signsIn && " They are of use once ADMIN_TOKEN is set: until then only this machine is served, without any."}
        </p>
        <KeyTable rows={keys} now={now} />
        <form method="post" class="mt-3 flex flex-wrap items-end gap-2">
          <WorkspaceField />
          <input type="hidden" name="do" value="create-key" />
          <div>
            <label for="key-name" class="font-medium">Name of a new key</label>
            <input id="key-name" name="name" class="field" required dir="auto" />
          </div>
          <div>
            <label for="key-scope" class="font-medium">It may</label>
            <select id="key-scope" name="scope" class="field">
              <option value="read">read</option>
              <option value="manage">manage</option>
            </select>
          </div>
          <button type="submit" class="button">Make the key</button>
        </form>
      </section>
    </>
  );
});

function NameForm(
  { verb, label, button, value }: { verb: "create" | "rename"; label: string; button: string; value: string },
) {
  const id = `${verb}-name`;
  return (
    <form method="post" class="mt-3 flex flex-wrap items-end gap-2">
      <WorkspaceField />
      <input type="hidden" name="do" value={verb} />
      <div class="min-w-0 flex-1">
        <label for={id} class="font-medium">{label}</label>
        <input id={id} name="name" class="field" value={value} required dir="auto" />
      </div>
      <button type="submit" class="button">{button}</button>
    </form>
  );
}
