// A hidden field with the browser's time zone. Without scripts it stays empty, and the form still
// works.
import { markup } from '../platform/markup.ts';

const fieldName = 'time_zone';

export const zoneField = markup`<input type="hidden" name="${fieldName}" autocomplete="off">`;

/** The script for pages with the field. */
export const zoneScript = `for (const field of document.querySelectorAll('input[name=${fieldName}]'))
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';`;

/** The value that the browser sent; it may be any text. */
export const readZone = (form: URLSearchParams): string | null => form.get(fieldName);
