// A part of a page that the server renders and that the page's script can draw again: the same tree
// becomes HTML in a function and nodes in a browser.

export interface ElementTree {
  tag: string;
  attributes: Readonly<Record<string, string | number>>;
  children: readonly (ElementTree | string)[];
}

export const element = (
  tag: string,
  attributes: ElementTree['attributes'],
  ...children: ElementTree['children']
): ElementTree => ({ tag, attributes, children });
