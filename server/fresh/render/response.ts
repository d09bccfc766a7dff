import type { ComponentChildren } from "preact";
import type { LayoutConfig, ResolvedFreshConfig } from "../config.ts";
import type { Snapshot } from "../snapshot.ts";
import { renderDocument } from "./document.ts";

/** What a page or a layout gives. */
export type Rendered = ComponentChildren | Response;
type Wrap = (inner: ComponentChildren) => Promise<Rendered>;

/** What a request's page is rendered with. */
export interface View {
  /** What is put around the page, from the outside in. */
  app: Wrap | undefined;
  layouts: readonly Wrap[];
  /** The build, if there is one. */
  readonly build: Pick<Snapshot, "manifest" | "directory"> | undefined;
}

/** The view of each request; it is no part of what Fresh shows in a context. */
export const views: WeakMap<object, View> = new WeakMap();

/** The view of a request. A context that no app has made has an empty one. */
export function viewOf(ctx: object): View {
  return views.get(ctx) ?? { app: undefined, layouts: [], build: undefined };
}

/** Puts the layouts and the app wrapper around a page, and answers with the document. */
export async function renderResponse(
  ctx: { readonly config: ResolvedFreshConfig },
  content: ComponentChildren,
  init: ResponseInit,
  { skipInheritedLayouts = false, skipAppWrapper = false }: LayoutConfig,
): Promise<Response> {
  const { app, layouts, build } = viewOf(ctx);
  let page: Rendered = content;
  const wraps = [...skipAppWrapper ? [] : [app ?? []].flat(), ...skipInheritedLayouts ? [] : layouts];
  for (const wrap of wraps.reverse()) {
    page = await wrap(page);
    if (page instanceof Response) return page;
  }
  const headers = new Headers(init.headers);
  if (!headers.has("content-type")) headers.set("content-type", "text/html; charset=utf-8");
  return new Response(renderDocument(page, ctx.config.basePath, build?.manifest), { ...init, headers });
}
