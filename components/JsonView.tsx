import type { JSX } from "preact";
import { type JsonKind, jsonPieces } from "./stream/json.ts";

const COLOURS: Readonly<Record<JsonKind, string | undefined>> = {
  key: "text-accent",
  string: "text-good",
  number: "text-warn",
  literal: "text-warn",
  note: "text-muted italic",
  plain: undefined,
};

/** JSON, laid out and coloured, as text only. What is very long is cut, and says so. */
export function JsonView({ value }: { value: unknown }): JSX.Element {
  return (
    <pre dir="ltr" class="whitespace-pre-wrap wrap-anywhere">
      <code>
        {jsonPieces(value).map(({ kind, text }, index) => {
          const colour = COLOURS[kind];
          return colour === undefined ? text : <bdi key={index} class={colour}>{text}</bdi>;
        })}
      </code>
    </pre>
  );
}
