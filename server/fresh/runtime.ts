/**
 * `fresh/runtime`: what components use on the server and in the browser.
 *
 * @module
 * @see https://fresh.deno.dev/docs/advanced/api-reference
 */
export { HttpError } from "./error.ts";
export { asset } from "./render/asset.ts";
export { Head, type HeadProps } from "./render/head.ts";

/** Whether this runs in a browser. */
export const IS_BROWSER: boolean = typeof document !== "undefined";
