// Builds the page's nodes. Text from a response only ever becomes text nodes.
import type { ElementTree } from '../element-tree.ts';

export type Child = Node | string | undefined | readonly Child[];
type Properties = Readonly<Record<string, string | number | boolean | undefined>>;

/** A property that is undefined or false is left out. */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return fill(document.createElement(tag), properties, children);
}

export function createSvgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  return fill(document.createElementNS(svgNamespace, tag), properties, children);
}

const svgNamespace = 'http://www.w3.org/2000/svg';

function fill<Built extends Element>(node: Built, properties: Properties, children: readonly Child[]): Built {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...listNodes(children));
  return node;
}

function listNodes(child: Child): (Node | string)[] {
  if (child === undefined || child === '') return [];
  return isList(child) ? child.flatMap(listNodes) : [child];
}

const isList = (child: Child): child is readonly Child[] => Array.isArray(child);

/** The node of a tree that the server renders as HTML. */
export function createNode(tree: ElementTree, isInSvg = false): Element {
  const isSvg = isInSvg || tree.tag === 'svg';
  const node = isSvg ? document.createElementNS(svgNamespace, tree.tag) : document.createElement(tree.tag);
  for (const [name, value] of Object.entries(tree.attributes)) node.setAttribute(name, String(value));
  node.append(...tree.children.map((child) => (typeof child === 'string' ? child : createNode(child, isSvg))));
  return node;
}

/** A part that the page always has. */
export function findElement<Kind extends Element>(
  selector: string,
  kind: abstract new (...args: never[]) => Kind,
  parent: ParentNode = document,
): Kind {
  const found = parent.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

interface DisclosureOptions {
  isOpen?: boolean;
  className?: string;
}

/**
 * Builds its content when it is first opened, so that a long document stays light and a recursive
 * schema terminates.
 */
export function createDisclosure(
  summary: Child,
  buildContent: () => Child,
  { isOpen = false, className = '' }: DisclosureOptions = {},
): HTMLDetailsElement {
  const details = createElement('details', { class: className }, createElement('summary', {}, summary));
  let isBuilt = false;
  const fillOnce = (): void => {
    if (isBuilt) return;
    isBuilt = true;
    details.append(...listNodes(buildContent()));
  };
  if (isOpen) {
    fillOnce();
    details.open = true;
  }
  details.addEventListener('toggle', () => {
    if (details.open) fillOnce();
  });
  return details;
}
