import { HttpError, page } from "fresh";
import { z } from "zod";
import { DeadLetterTable } from "../../../components/DeadLetterTable.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { define } from "../../(_shared)/define.ts";
import { readWorkspaceForm, statusOrThrow } from "../../(_shared)/form.ts";

const PAGE_SIZE = 50;
const HERE = "/dashboard/dead-letters";

const DONE = new Map([
  ["retry", "The event is published again, behind those that wait"],
  ["discard", "The event was discarded"],
]);

const querySchema = z.object({ before: z.uuid().optional().catch(undefined), done: z.string().optional() });
const formSchema = z.object({ id: z.uuid(), action: z.enum(["retry", "discard"]) });

export const handler = define.handlers({
  async GET(ctx) {
    const { dashboard, workspaceId } = ctx.state;
    ctx.state.title = "Dead letters";
    const { before, done = "" } = querySchema.parse(Object.fromEntries(ctx.url.searchParams));
    const found = await dashboard.deadLetters.list(workspaceId, { limit: PAGE_SIZE + 1, ...(before && { before }) });
    const letters = found.slice(0, PAGE_SIZE);
    const older = found.length > PAGE_SIZE ? letters.at(-1)?.id : undefined;
    return page({ letters, older, isFirst: before === undefined, done: DONE.get(done), now: new Date() });
  },
  async POST(ctx) {
    const { dashboard, workspaceId } = ctx.state;
    const form = formSchema.safeParse(Object.fromEntries(await readWorkspaceForm(ctx)));
    if (!form.success) throw new HttpError(422, "The form does not say which dead letter and what to do");
    try {
      await dashboard.deadLetters[form.data.action](workspaceId, form.data.id);
    } catch (error) {
      // Somebody else was faster: the list shows what is left. What is the service's own fault is thrown on.
      statusOrThrow(dashboard.problem(error), error);
      return ctx.redirect(HERE, 303);
    }
    return ctx.redirect(`${HERE}?done=${form.data.action}`, 303);
  },
});

export default define.page<typeof handler>(function DeadLetters({ data }) {
  const { letters, older, isFirst, done, now } = data;
  return (
    <div class="flex flex-col gap-4">
      <div>
        <h1>Dead letters</h1>
        <p class="muted">
          Events that the broker did not take, and why. They count towards <code>SPOOL_MAX_BYTES</code>.
        </p>
      </div>
      {done !== undefined && <Notice tone="good" title={done} role="status" />}
      {letters.length === 0
        ? (
          <div class="card">
            <p>{isFirst ? "There are none." : "There are none that are older."}</p>
          </div>
        )
        : (
          <div class="card px-2 py-1 sm:px-3">
            <DeadLetterTable letters={letters} now={now} />
          </div>
        )}
      {(older !== undefined || !isFirst) && (
        <nav aria-label="Pages" class="flex justify-between gap-2">
          {isFirst ? <span /> : <a class="button" href={HERE}>Newest</a>}
          {older !== undefined && <a class="button" rel="next" href={`${HERE}?before=${older}`}>Older</a>}
        </nav>
      )}
    </div>
  );
});
