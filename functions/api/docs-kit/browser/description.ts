// Shows the descriptions of the OpenAPI document.
import { parseInlineText, splitParagraphs } from '../inline-text.ts';
import { type Child, createElement } from './dom.ts';

export const renderParagraphs = (text = ''): HTMLParagraphElement[] =>
  splitParagraphs(text).map((paragraph) => createElement('p', {}, renderInline(paragraph)));

export const renderInline = (text: string): Child[] =>
  parseInlineText(text).map((part) => {
    if (typeof part === 'string') return part;
    if ('code' in part) return createElement('code', {}, part.code);
    return createElement('a', { href: buildPageUrl(part.path) }, part.label);
  });

/** Below the path that the documentation is served from. URLs of other hosts never get here. */
const buildPageUrl = (path: string): string => location.href.replace(/(?<!\/)\/docs(?:[/?#].*)?$/, '') + path;
