import { expect, test } from 'vitest';
import { toDisplayLine } from '../../../functions/api/console/web/state/display-line.ts';

test('a page shows a name as one line that turns nothing around it', () => {
  expect(toDisplayLine('Ada\u202e\u2066 \u2069Kim\u200f')).toBe('Ada Kim');
  expect(toDisplayLine('a\nb\tc\u0000d\u0085e\u2028f')).toBe('a b c d e f');
  for (const name of ['Zoë', 'عادل', 'שלום', '👩‍👩‍👧', 'می‌خواهم']) expect(toDisplayLine(name)).toBe(name);
});
