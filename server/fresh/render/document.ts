import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Manifest } from "../snapshot.ts";
import { HeadSink } from "./head.ts";
import { PageIslands, PageScope } from "./islands.ts";
import { STATE_ID } from "./wire.ts";
import { Fragment, h } from "preact";

/**
 * Renders a page to a whole HTML document. Only a page with islands gets scripts.
 *
 * @throws {TypeError} If an island is given what cannot be sent to the browser.
 */
export function renderDocument(page: ComponentChildren, basePath: string, manifest: Manifest | undefined): string {
  const islands = new PageIslands();
  const inHead: ComponentChildren[] = [];
  const scoped = h(PageScope.Provider, { value: islands, children: page });
  const rendered = renderToString(h(HeadSink.Provider, { value: (e) => void inHead.push(e), children: scoped }));
  const html = /^\s*<html[\s>]/i.test(rendered)
    ? rendered
    : `<html><head><meta charset="utf-8"></head><body>${rendered}</body></html>`;
  const head = renderToString(h(Fragment, null, ...inHead));
  const { preloads, scripts } = scriptsOf(islands, basePath, manifest);

  const headEnd = Math.max(html.indexOf("</head>"), 0);
  const bodyEnd = html.includes("</body>") ? html.lastIndexOf("</body>") : html.length;
  const before = html.slice(0, headEnd);
  const kept = head.includes("<title") ? before.replace(TITLE, "") : before;
  return `<!DOCTYPE html>${kept}${preloads}${head}${html.slice(headEnd, bodyEnd)}${scripts}${html.slice(bodyEnd)}`;
}

const TITLE = /<title[^>]*>[\s\S]*?<\/title>/;

function scriptsOf(islands: PageIslands, basePath: string, manifest: Manifest | undefined) {
  if (manifest === undefined) return { preloads: "", scripts: "" };
  const script = ({ url }: { url: string }) => `<script type="module" src="${basePath}${url}"></script>`;
  const reload = manifest.reload === undefined ? "" : script(manifest.reload);
  if (islands.modules.length === 0) return { preloads: "", scripts: reload };
  const { boot, buildId } = manifest;
  const urls = new Set([boot, ...islands.modules].flatMap(({ url, preload }) => [url, ...preload]));
  const preloads = [...urls].map((url) => `<link rel="modulepreload" href="${basePath}${url}">`).join("");
  const state = `<script type="application/json" id="${STATE_ID}">${islands.write(basePath, buildId)}</script>`;
  return { preloads, scripts: state + script(boot) + reload };
}
