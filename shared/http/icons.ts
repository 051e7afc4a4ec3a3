import { Markup, markup } from '../platform/markup.ts';

// Small icons next to a page's heading. They are decorative: the text says the same.
const renderIcon = (tone: 'good' | 'bad' | 'wait', path: string): Markup =>
  new Markup(`<div class="sign ${tone}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg></div>`);

export const successIcon = renderIcon('good', 'M5 12.5l4.5 4.5L19 7.5');
export const errorIcon = renderIcon('bad', 'M7 7l10 10M17 7L7 17');
export const waitingIcon = renderIcon('wait', 'M12 7v5.5l3.5 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z');

const fieldName = 'time_zone';

export const zoneField = markup`<input type="hidden" name="${fieldName}" autocomplete="off">`;

/** The script for pages with the field. */
export const zoneScript = `for (const field of document.querySelectorAll('input[name=${fieldName}]'))
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';`;

/** The value that the browser sent; it may be any text. */
export const readZone = (form: URLSearchParams): string | null => form.get(fieldName);
