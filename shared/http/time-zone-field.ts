// A hidden form field in which the browser sends its time zone.

import { markup } from '../platform/markup.ts';

const fieldName = 'time_zone';

export const timeZoneField = markup`<input type="hidden" name="${fieldName}" autocomplete="off">`;

/** The script for pages with the field. */
export const timeZoneScript = `for (const field of document.querySelectorAll('input[name=${fieldName}]'))
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';`;

/** The value that the browser sent; it may be any text. */
export const readTimeZone = (form: URLSearchParams): string | null => form.get(fieldName);
