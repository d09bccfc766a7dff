import type { JSX } from "preact";

const PLACES = [
  ["/dashboard", "Overview"],
  ["/dashboard/connectors", "Connectors"],
  ["/dashboard/stream", "Live stream"],
  ["/dashboard/deliveries", "Deliveries"],
] as const;

/** The way around the dashboard; `path` is where one is. */
export function Nav({ path }: { path: string }): JSX.Element {
  const here = (place: string) => place === "/dashboard" ? path === place : path.startsWith(place);
  return (
    <header class="border-b border-line bg-raised">
      <nav aria-label="Dashboard" class="nav">
        <a href="/dashboard" class="nav-brand">
          <img src="/icon.svg" alt="" width="20" height="20" />
          Inlet
        </a>
        {PLACES.map(([place, name]) => (
          <a key={place} href={place} class="nav-place" aria-current={here(place) ? "page" : undefined}>{name}</a>
        ))}
      </nav>
    </header>
  );
}
