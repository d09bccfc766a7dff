import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";

/** Takes what is rendered for the head; there is none in the browser. */
export const HeadSink = createContext<((children: ComponentChildren) => void) | null>(null);

/** What {@linkcode Head} is given. */
export interface HeadProps {
  children?: ComponentChildren;
}

/**
 * Adds its children to the document's `<head>`; a title replaces the one there. Unlike in Fresh, it does nothing when an
 * island renders it in the browser.
 *
 * @see https://fresh.deno.dev/docs/advanced/head
 */
export function Head({ children }: HeadProps): null {
  useContext(HeadSink)?.(children);
  return null;
}
