import type { ComponentChildren, JSX } from "preact";
import type { Tone } from "./Badge.tsx";

const EDGE = {
  good: "notice border-l-good",
  warn: "notice border-l-warn",
  bad: "notice border-l-bad",
  muted: "notice border-l-muted",
} as const;

/** What {@link Notice} shows. */
export interface NoticeProps {
  readonly tone: Tone;
  readonly title: string;
  /** `alert` for what keeps people from going on, `status` for what has been done. */
  readonly role?: "alert" | "status";
  readonly children?: ComponentChildren;
}

/** Something that people should know about the page. */
export function Notice({ tone, title, role, children }: NoticeProps): JSX.Element {
  return (
    <div class={EDGE[tone]} role={role}>
      <p class="font-semibold">{title}</p>
      {children}
    </div>
  );
}
