// HTML that can be put together without forgetting to escape: whatever is filled in is text, unless it is markup itself.

export class Markup {
  readonly html: string;
  constructor(html: string) {
    this.html = html;
  }
}

/** Undefined and false stand for nothing, so that a part may be left out. */
export type Filling = string | number | Markup | undefined | false | readonly Filling[];

export const markup = (parts: TemplateStringsArray, ...fillings: readonly Filling[]): Markup =>
  new Markup(parts.map((part, at) => (at === 0 ? part : htmlOf(fillings[at - 1]) + part)).join(''));

function htmlOf(filling: Filling): string {
  if (filling === undefined || filling === false) return '';
  if (filling instanceof Markup) return filling.html;
  if (typeof filling === 'string' || typeof filling === 'number') return escaped(String(filling));
  return filling.map(htmlOf).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
