// HTML templates that cannot forget to escape: every inserted value is text, unless it is markup
// itself.

export class Markup {
  readonly html: string;
  constructor(html: string) {
    this.html = html;
  }
}

/** Undefined and false render nothing, so that a part can be left out. */
export type MarkupValue = string | number | Markup | undefined | false | readonly MarkupValue[];

export const markup = (parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup =>
  new Markup(parts.map((part, index) => (index === 0 ? part : toHtml(values[index - 1]) + part)).join(''));

function toHtml(value: MarkupValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.html;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(toHtml).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
