// HTML templates that cannot forget to escape: every inserted value is text, unless it is markup
// itself.
import { html, raw } from 'hono/html';

export class Markup {
  readonly html: string;
  constructor(html: string) {
    this.html = html;
  }
}

/** Undefined and false render nothing, so that a part can be left out. */
export type MarkupValue = string | number | Markup | undefined | false | readonly MarkupValue[];

export const markup = (parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup =>
  new Markup(String(html(parts, ...values.map(toInserted))));

function toInserted(value: MarkupValue): unknown {
  if (value instanceof Markup) return raw(value.html);
  return Array.isArray(value) ? value.map(toInserted) : value;
}

export const escapeHtml = (text: string): string => markup`${text}`.html;
