import type { RouteConfig } from "./config.ts";

/** A module of the browser, by its URL path without the base path, and what it imports. */
export interface BrowserModule {
  readonly url: string;
  readonly preload: readonly string[];
}

/** A file that is served. */
export interface StaticFile {
  readonly type: string;
  readonly etag: string;
  readonly size: number;
}

/** What a build made, as `_fresh/manifest.json` says it. */
export interface Manifest {
  readonly mode: "development" | "production";
  readonly buildId: string;
  /** A hash over all that went into the build, see `Builder.isStale()`. */
  readonly inputs: string;
  /** Files that went into the islands from outside the folders that are searched. */
  readonly imported: readonly string[];
  /** The module that hydrates islands. */
  readonly boot: BrowserModule;
  /** The module that reloads the page after a build; in development only. */
  readonly reload?: BrowserModule;
  /** The islands by file. */
  readonly islands: Readonly<Record<string, BrowserModule>>;
  /** The files that are served, by URL path without the base path. */
  readonly files: Readonly<Record<string, StaticFile>>;
}

/** What a file in `routes/` may export: which of it is what is seen when it is used. */
export interface RouteModule {
  readonly default?: unknown;
  readonly handler?: unknown;
  readonly handlers?: unknown;
  readonly config?: RouteConfig;
}

/** A build with its modules, as `_fresh/snapshot.js` exports it. */
export interface Snapshot {
  readonly manifest: Manifest;
  /** Where the served files are. */
  readonly directory: string;
  /** The modules of `routes/`, by file. */
  readonly routes: Readonly<Record<string, RouteModule>>;
  /** The modules of `islands/`, by file. */
  readonly islands: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
