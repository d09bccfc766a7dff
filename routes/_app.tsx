import { asset } from "fresh/runtime";
import { define } from "./(_shared)/define.ts";

export default define.page(function App({ Component, state }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{state.title === undefined ? "Inlet" : `${state.title} · Inlet`}</title>
        <link rel="icon" href={asset("/icon.svg")} type="image/svg+xml" />
        <link rel="stylesheet" href={asset("/styles.css")} />
      </head>
      <body>
        <Component />
      </body>
    </html>
  );
});
