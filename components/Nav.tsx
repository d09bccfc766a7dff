import type { JSX } from "preact";

const PLACES = [
  ["/dashboard", "Overview"],
  ["/dashboard/connectors", "Connectors"],
  ["/dashboard/events", "Events"],
  ["/dashboard/stream", "Live stream"],
  ["/dashboard/deliveries", "Deliveries"],
  ["/dashboard/dead-letters", "Dead letters"],
] as const;

/** What {@link Nav} shows. */
export interface NavProps {
  /** Where one is. */
  readonly path: string;
  /** Name of the workspace that is shown. */
  readonly workspace: string;
  /** Whether one can sign out. */
  readonly signsIn: boolean;
}

/** The way around the dashboard. */
export function Nav({ path, workspace, signsIn }: NavProps): JSX.Element {
  // Said of every place: the real Fresh marks links itself where nothing is, "/dashboard" on all pages below it.
  const current = (place: string) => (place === "/dashboard" ? path === place : path.startsWith(place)) && "page";
  return (
    <header class="border-b border-line bg-raised">
      <nav aria-label="Dashboard" class="nav">
        <a href="/dashboard" class="nav-brand" aria-current={false}>
          <img src="/icon.svg" alt="" width="20" height="20" />
          Inlet
        </a>
        {PLACES.map(([place, name]) => (
          <a key={place} href={place} class="nav-place" aria-current={current(place)}>{name}</a>
        ))}
        <a
          href="/dashboard/workspaces"
          class="nav-place nav-workspace"
          title="Workspaces and API keys"
          aria-current={current("/dashboard/workspaces")}
        >
          <span class="sr-only">Workspace:</span>
          <span class="truncate" dir="auto">{workspace}</span>
        </a>
        {signsIn && (
          <form method="post" action="/dashboard/sign-out">
            <button type="submit" class="nav-place cursor-pointer">Sign out</button>
          </form>
        )}
      </nav>
    </header>
  );
}
