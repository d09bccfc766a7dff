import type { JSX } from "preact";
import { Notice } from "./Notice.tsx";

/** Something that somebody should look at. */
export interface ShownConcern {
  readonly tone: "bad" | "warn";
  readonly title: string;
  readonly detail: string;
  readonly link?: { readonly href: string; readonly text: string };
}

/** What needs attention; nothing if nothing does. */
export function Concerns({ concerns }: { concerns: readonly ShownConcern[] }): JSX.Element | null {
  if (concerns.length === 0) return null;
  return (
    <section class="mt-4">
      <h2 class="mb-2">Needs attention</h2>
      <ul class="grid gap-2">
        {concerns.map(({ tone, title, detail, link }) => (
          <li key={title}>
            <Notice tone={tone} title={title}>
              <p class="line-clamp-4 break-words" dir="auto">{detail}</p>
              {link !== undefined && (
                <p>
                  <a href={link.href}>{link.text}</a>
                </p>
              )}
            </Notice>
          </li>
        ))}
      </ul>
    </section>
  );
}
