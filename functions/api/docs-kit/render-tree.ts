// Renders a tree of elements as HTML.
import { Markup, markup } from '../../../shared/platform/markup.ts';
import type { ElementTree } from './element-tree.ts';

/** Elements of SVG that are empty close themselves. */
const emptyElements: ReadonlySet<string> = new Set(['rect', 'path']);

export function renderTree({ tag, attributes, children }: ElementTree): Markup {
  const names = Object.entries(attributes).map(([name, value]) => markup` ${new Markup(name)}="${value}"`);
  const open = markup`${new Markup(`<${tag}`)}${names}`;
  if (children.length === 0 && emptyElements.has(tag)) return markup`${open}${new Markup(' />')}`;
  const content = children.map((child) => (typeof child === 'string' ? child : renderTree(child)));
  return markup`${open}${new Markup('>')}${content}${new Markup(`</${tag}>`)}`;
}
