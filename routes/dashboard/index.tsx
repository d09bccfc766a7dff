import { page } from "fresh";
import { define } from "../(_shared)/define.ts";

export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = "Overview";
    return page({ health: await ctx.state.dashboard.health() });
  },
});

export default define.page<typeof handler>(function Overview({ data }) {
  return <h1>Overview: {data.health.broker.detail}</h1>;
});
