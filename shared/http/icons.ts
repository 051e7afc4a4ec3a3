// Small icons above a page's heading. They are decorative: the text says the same.
import { Markup } from '../platform/markup.ts';

const renderIcon = (tone: 'success' | 'error' | 'warning', path: string): Markup =>
  new Markup(`<div class="icon ${tone}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg></div>`);

export const successIcon = renderIcon('success', 'M5 12.5l4.5 4.5L19 7.5');
export const errorIcon = renderIcon('error', 'M7 7l10 10M17 7L7 17');
export const waitingIcon = renderIcon('warning', 'M12 7v5.5l3.5 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z');
