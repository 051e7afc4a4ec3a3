// A hidden field that says which time zone the browser is in. Without scripts it stays empty, and the form works all the same.
import { markup } from '../platform/markup.ts';

const fieldName = 'time_zone';

export const zoneField = markup`<input type="hidden" name="${fieldName}" autocomplete="off">`;

/** For pages that have the field. */
export const zoneScript = `for (const field of document.querySelectorAll('input[name=${fieldName}]'))
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';`;

/** What the browser said; it may be anything. */
export const readZone = (form: URLSearchParams): string | null => form.get(fieldName);
