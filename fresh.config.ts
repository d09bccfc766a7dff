/**
 * The dashboard's settings, as data: a plain module, since Fresh 2 reads no such file by itself. The build reads it, and
 * `main.ts`.
 *
 * @module
 */

/** Where the dashboard's pages are served; `/` leads there. The folder `routes/` has them below the same name. */
export const PAGES_PATH = "/dashboard";

/**
 * Where the dashboard's sources and its build lie, and for which browsers the scripts are built: those that know the
 * `light-dark()` of the styles.
 */
export const build = {
  outDir: "_fresh",
  staticDir: "static",
  islandDir: "islands",
  routeDir: "routes",
  target: ["chrome123", "firefox120", "safari17.5"],
};
