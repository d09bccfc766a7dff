/**
 * What apps, routes and layouts are configured with; names and shapes are those of Fresh.
 *
 * @module
 * @see https://fresh.deno.dev/docs/advanced/api-reference
 */

/** The `config` export of a layout. */
export interface LayoutConfig {
  /** Leaves out the layouts around this one. Default: `false`. */
  skipInheritedLayouts?: boolean;
  /** Leaves out `_app.tsx`. Default: `false`. */
  skipAppWrapper?: boolean;
}

/** The `config` export of a route. */
export interface RouteConfig extends LayoutConfig {
  /** The route's URL pattern, instead of the one that its file's name gives. */
  routeOverride?: string;
}

/** Options of `new App()`. */
export interface FreshConfig {
  /** Where the app is served, such as `/dashboard`; goes before all its routes and assets. Default: the root. */
  basePath?: string;
}

/** The options of the app, with defaults filled in. */
export interface ResolvedFreshConfig {
  readonly basePath: string;
  readonly mode: "development" | "production";
}
