import { HttpError, page } from "fresh";
import { z } from "zod";
import { DeadLetterTable } from "../../../components/DeadLetterTable.tsx";
import { countEvents } from "../../../components/words.ts";
import { Notice } from "../../../components/Notice.tsx";
import { WorkspaceField } from "../../../components/WorkspaceField.tsx";
import { countSchema } from "../../(_shared)/count.ts";
import { define } from "../../(_shared)/define.ts";
import { problemOrThrow, readWorkspaceForm } from "../../(_shared)/form.ts";

const PAGE_SIZE = 50;
const HERE = "/dashboard/dead-letters";

const DONE = new Map([
  ["retry", "The event is published again, behind those that wait"],
  ["discard", "The event was discarded"],
]);

const querySchema = z.object({
  before: z.uuid().optional().catch(undefined),
  done: z.string().optional(),
  /** How many were retried at once, for the notice after it. */
  retried: countSchema.optional().catch(undefined),
});
const formSchema = z.object({ id: z.uuid(), action: z.enum(["retry", "discard", "retry-all"]) });

function saidOf(done: string, retried: number | undefined): string | undefined {
  if (retried === undefined) return DONE.get(done);
  return `${countEvents(retried)} ${retried === 1 ? "is" : "are"} published again, behind those that wait`;
}

export const handler = define.handlers({
  async GET(ctx) {
    const { dashboard, workspaceId } = ctx.state;
    ctx.state.title = "Dead letters";
    const { before, done = "", retried } = querySchema.parse(Object.fromEntries(ctx.url.searchParams));
    const [found, count] = await Promise.all([
      dashboard.deadLetters.list(workspaceId, { limit: PAGE_SIZE + 1, ...(before && { before }) }),
      dashboard.deadLetters.count(workspaceId),
    ]);
    const letters = found.slice(0, PAGE_SIZE);
    const older = found.length > PAGE_SIZE ? letters.at(-1)?.id : undefined;
    const said = saidOf(done, retried);
    const most = dashboard.deadLetters.mostAtOnce;
    return page({ letters, older, count, most, isFirst: before === undefined, said, now: new Date() });
  },
  async POST(ctx) {
    const { dashboard, workspaceId } = ctx.state;
    const form = formSchema.safeParse(Object.fromEntries(await readWorkspaceForm(ctx)));
    if (!form.success) throw new HttpError(422, "The form does not say which dead letter and what to do");
    const { id, action } = form.data;
    if (action === "retry-all") {
      const { retried } = await dashboard.deadLetters.retryAll(workspaceId, id);
      return ctx.redirect(`${HERE}?retried=${retried}`, 303);
    }
    try {
      await dashboard.deadLetters[action](workspaceId, id);
    } catch (error) {
      // Somebody else was faster: the list shows what is left. What is the service's own fault is thrown on.
      problemOrThrow(dashboard, error);
      return ctx.redirect(HERE, 303);
    }
    return ctx.redirect(`${HERE}?done=${action}`, 303);
  },
});

export default define.page<typeof handler>(function DeadLetters({ data }) {
  const { letters, older, count, most, isFirst, said, now } = data;
  const [newest] = letters;
  return (
    <div class="flex flex-col gap-4">
      <div>
        <h1>Dead letters</h1>
        <p class="muted">
          Events that the broker did not take, and why. They count towards <code>SPOOL_MAX_BYTES</code>.
        </p>
      </div>
      {said !== undefined && <Notice tone="good" title={said} role="status" />}
      {isFirst && newest !== undefined && count > 1 && <RetryAll count={count} most={most} newestId={newest.id} />}
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

/** What was set aside after the page was made is not meant. */
function RetryAll({ count, most, newestId }: { count: number; most: number; newestId: string }) {
  const shown = (number: number) => number.toLocaleString("en");
  return (
    <details class="card">
      <summary>Retry all {shown(count)}</summary>
      <p class="my-2">
        They are published again, oldest first, behind the events that wait. What the broker refuses once more comes
        back here, so mend the cause first.
      </p>
      <form method="post">
        <WorkspaceField />
        <input type="hidden" name="id" value={newestId} />
        <button type="submit" name="action" value="retry-all" class="button button-primary">
          {count > most ? `Retry the oldest ${shown(most)}` : "Retry them all"}
        </button>
      </form>
    </details>
  );
}
