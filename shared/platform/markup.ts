// HTML templates that cannot forget to escape: every inserted value is text, unless it is markup
// itself. What cannot be seen in a text, or turns what is around it, is left out.
import { html, raw } from 'hono/html';
import { hideUnseen } from './display-line.ts';

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
  if (typeof value === 'string') return hideUnseen(value);
  return Array.isArray(value) ? value.map(toInserted) : value;
}

export const escapeHtml = (text: string): string => markup`${text}`.html;
