/**
 * Hydrates the islands of a page: the module that each page with islands loads.
 *
 * @module
 */
import { type ContainerNode, h, hydrate } from "preact";
import { setBuildId } from "../render/asset.ts";
import { MARKS, readState, STATE_ID } from "../render/wire.ts";

/** The nodes between two comments, as an element whose only children they are. */
function between(start: Comment, end: Comment, parent: Node): ContainerNode {
  const insert = (node: ContainerNode, before: ContainerNode | null) => {
    if (node instanceof Node) parent.insertBefore(node, before instanceof Node ? before : end);
    return node;
  };
  const children = () => {
    const nodes: ChildNode[] = [];
    for (let node = start.nextSibling; node !== null && node !== end; node = node.nextSibling) nodes.push(node);
    return nodes;
  };
  return {
    nodeType: Node.ELEMENT_NODE,
    parentNode: parent,
    get firstChild() {
      return children()[0] ?? null;
    },
    get childNodes() {
      return children();
    },
    contains: (node) => node instanceof Node && parent.contains(node),
    insertBefore: insert,
    appendChild: (node) => insert(node, null),
    removeChild: (node) => node instanceof Node ? parent.removeChild(node) : node,
  };
}

/** The marked places, by the numbers of their islands. */
function places(): Map<number, ContainerNode> {
  const found = new Map<number, ContainerNode>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) {
    const start = walker.currentNode;
    if (!(start instanceof Comment) || !start.data.startsWith(MARKS.start) || start.parentNode === null) continue;
    let end = start.nextSibling;
    while (end !== null && !(end instanceof Comment && end.data === MARKS.end)) end = end.nextSibling;
    if (end !== null) found.set(Number(start.data.slice(MARKS.start.length)), between(start, end, start.parentNode));
  }
  return found;
}

const { buildId, components, islands } = readState(document.querySelector(`script#${STATE_ID}`)?.textContent ?? "");
setBuildId(buildId); // Before the islands are loaded, as they may call asset() at once.
const loaded = await Promise.all(components.map(async ({ url, name }) => (await import(url))[name]));
const containers = places();
islands.forEach(({ component, props }, index) => {
  const container = containers.get(index);
  if (container !== undefined) hydrate(h(loaded[component], props), container);
});
