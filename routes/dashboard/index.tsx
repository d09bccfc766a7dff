import { page } from "fresh";
import { Concerns } from "../../components/Concerns.tsx";
import { EventsChart } from "../../components/EventsChart.tsx";
import { Facts } from "../../components/Facts.tsx";
import { total } from "../../components/chart.ts";
import { concernsOf, factsOf } from "../(_shared)/attention.ts";
import { summaries } from "../(_shared)/connector.ts";
import { define } from "../(_shared)/define.ts";

export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = "Overview";
    const { dashboard, workspaceId } = ctx.state;
    const [health, connectors, [newest], count] = await Promise.all([
      dashboard.health(),
      summaries(ctx.state),
      dashboard.deadLetters.list(workspaceId, { limit: 1 }),
      dashboard.deadLetters.count(workspaceId),
    ]);
    return page({ health, connectors, deadLetters: { newest, count }, now: new Date() });
  },
});

export default define.page<typeof handler>(function Overview({ data: { health, connectors, deadLetters, now } }) {
  const on = connectors.filter(({ enabled }) => enabled);
  const hour = connectors.reduce((sum, { perMinute }) => sum + total(perMinute), 0);
  return (
    <>
      <div class="page-head">
        <h1>Overview</h1>
      </div>
      <Facts facts={factsOf(health)} />
      <Concerns concerns={concernsOf(health, connectors, deadLetters)} />
      <section class="card mt-4">
        <h2 class="mb-2">Events of the last hour</h2>
        {hour > 0 ? <EventsChart series={connectors} now={now} /> : on.length === 0
          ? (
            <div class="empty">
              <p>Nothing can arrive yet: no connector is on.</p>
              <a href="/dashboard/setup/source" class="button button-primary">Set up a first source</a>
            </div>
          )
          : (
            <div class="empty">
              <p>No event came in the last hour.</p>
              <p class="flex flex-wrap justify-center gap-2">
                {on.slice(0, 3).map(({ id, name, kind }) => (
                  <a key={id} href={`/dashboard/connectors/${id}`} class="button">
                    {kind === "poller" ? `Poll ${name} now` : `Send a test event from ${name}`}
                  </a>
                ))}
              </p>
            </div>
          )}
      </section>
    </>
  );
});
