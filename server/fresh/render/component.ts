import { type ComponentChildren, h } from "preact";
import type { Context } from "../context.ts";
import type { PageProps, RouteComponent } from "../types.ts";
import { dataOfPage } from "../unchecked.ts";
import type { Rendered } from "./response.ts";

/** Renders a page or, around `inner`, a layout. Async ones are run at once; the others when all of the page is. */
export async function renderComponent<State>(
  component: RouteComponent<State>,
  ctx: Context<State>,
  inner?: ComponentChildren,
): Promise<Rendered> {
  const { config, url, req, params, info, state, isPartial, error, route } = ctx;
  const data = dataOfPage(ctx.data);
  const props = { config, url, req, params, info, state, isPartial, error, route, data, Component: () => inner };
  return isAsync(component) ? await component(props) : h(component, props);
}

function isAsync<State>(component: unknown): component is (props: PageProps<never, State>) => Promise<Rendered> {
  return Object.prototype.toString.call(component) === "[object AsyncFunction]";
}
