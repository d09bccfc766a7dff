import type { JSX } from "preact";

/** Set-up steps of a connector; `html` is made of a text of ours, by `routes/(_shared)/guide.ts`. */
export function Guide({ html }: { html: string }): JSX.Element {
  // deno-lint-ignore react-no-danger -- a README of this repository, and nothing that came over the network
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}
