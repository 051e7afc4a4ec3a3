// A minimal document in which the page scripts build nodes, and which renders a node as HTML.

type Child = PageNode | string;

class PageNode {
  readonly attributes = new Map<string, string>();
  readonly children: Child[] = [];
  readonly tag: string;
  readonly isSvg: boolean;

  constructor(tag: string, isSvg: boolean) {
    this.tag = tag;
    this.isSvg = isSvg;
  }

  set className(names: string) {
    this.attributes.set('class', names);
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  append(...children: Child[]): void {
    this.children.push(...children);
  }

  toString(): string {
    const attributes = [...this.attributes].map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('');
    if (this.isSvg && this.children.length === 0) return `<${this.tag}${attributes} />`;
    const inside = this.children.map((child) => (typeof child === 'string' ? escapeHtml(child) : String(child)));
    return `<${this.tag}${attributes}>${inside.join('')}</${this.tag}>`;
  }
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export const documentStub = {
  createElement: (tag: string) => new PageNode(tag, false),
  createElementNS: (_: string, tag: string) => new PageNode(tag, true),
};
