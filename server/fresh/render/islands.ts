/** Finding the islands of a page while it is rendered on the server, and marking them for the browser. */
import { type AnyComponent, createContext, Fragment, type FunctionComponent, h, isValidElement, options } from "preact";
import type { VNode } from "preact";
import { useContext } from "preact/hooks";
import { jsxTemplate } from "preact/jsx-runtime";
import { Signal } from "@preact/signals";
import { DevalueError } from "devalue";
import type { BrowserModule, Snapshot } from "../snapshot.ts";
import { MARKS, type Props, writeState } from "./wire.ts";

interface Island extends BrowserModule {
  /** The name it is exported under. */
  readonly name: string;
  readonly file: string;
}

/** The islands of one page, found as it is rendered. */
export class PageIslands {
  readonly #components: Island[] = [];
  readonly #islands: { component: number; props: Props }[] = [];

  /** Takes an island and gives its number. */
  add(island: Island, props: Props): number {
    const jsx = Object.keys(props).find((name) => [props[name]].flat(Infinity).some(isJsx));
    if (jsx !== undefined) throw this.#cannotSend(island, jsx, "JSX cannot be passed to islands here");
    const known = this.#components.indexOf(island);
    const component = known >= 0 ? known : this.#components.push(island) - 1;
    return this.#islands.push({ component, props }) - 1;
  }

  /** The modules of the islands. */
  get modules(): readonly BrowserModule[] {
    return this.#components;
  }

  /**
   * Writes all that the browser is to know of them.
   *
   * @throws {TypeError} If an island is given what cannot be sent, such as a function.
   */
  write(basePath: string, buildId: string): string {
    const components = this.#components.map(({ url, name }) => ({ url: basePath + url, name }));
    try {
      return writeState({ buildId, components, islands: this.#islands });
    } catch (error) {
      if (!(error instanceof DevalueError)) throw error;
      const [, index, prop = ""] = /^\.islands\[(\d+)\]\.props\.?(.*)$/s.exec(error.path) ?? [];
      throw this.#cannotSend(this.#components[this.#islands[Number(index)]?.component ?? -1], prop, error.message);
    }
  }

  #cannotSend(island: Island | undefined, prop: string, why: string): TypeError {
    return new TypeError(`Cannot render the island ${island?.file}: its prop ${prop} cannot go to the browser: ${why}`);
  }
}

// Signals pass for elements, so that they can be rendered.
function isJsx(value: unknown): boolean {
  return isValidElement(value) && !(value instanceof Signal);
}

/** The page that is being rendered; none inside an island, where islands are components as any other. */
export const PageScope = createContext<PageIslands | null>(null);

const boundaries = new WeakMap<AnyComponent<Props>, FunctionComponent<Props>>();

/**
 * Makes the components of a build islands, wherever they are rendered from now on.
 *
 * @throws {TypeError} If the build has no module for a file of islands.
 */
export function installIslands({ manifest, islands }: Pick<Snapshot, "manifest" | "islands">): void {
  for (const [file, exports] of Object.entries(islands)) {
    const module = manifest.islands[file];
    if (module === undefined) throw new TypeError(`Cannot use the island ${file}: the build has no module for it`);
    for (const [name, component] of Object.entries(exports)) {
      if (!isComponent(component)) continue;
      const island = { ...module, name, file };
      boundaries.set(component, (props) => renderIsland(component, island, props));
    }
  }
}

function isComponent(value: unknown): value is AnyComponent<Props> {
  return typeof value === "function";
}

// Preact calls this with each element that is made: the one place where an island can be told from a component.
const previous = options.vnode;
options.vnode = (vnode) => {
  const boundary = typeof vnode.type === "function" ? boundaries.get(vnode.type) : undefined;
  if (boundary !== undefined) vnode.type = boundary;
  previous?.(vnode);
};

function renderIsland(component: AnyComponent<Props>, island: Island, props: Props): VNode {
  const page = useContext(PageScope);
  const element: VNode = h(Fragment, props);
  element.type = component; // Set afterwards, so that it is not taken for an island again.
  if (page === null) return element;
  const inside = h(PageScope.Provider, { value: null, children: element });
  // A template as JSX is compiled to: the only way to write a comment.
  return jsxTemplate([`<!--${MARKS.start}${page.add(island, props)}-->`, `<!--${MARKS.end}-->`], inside);
}
