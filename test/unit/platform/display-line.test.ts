import { expect, test } from 'vitest';
import { nameOfPerson } from '../../../functions/api/console/web/state/format.ts';
import { chooseVisible, toDisplayLine, toDisplayText } from '../../../shared/platform/display-line.ts';

test('a page shows a name as one line that turns nothing around it', () => {
  expect(toDisplayLine('Ada\u202e\u2066 \u2069Kim\u200f')).toBe('Ada Kim');
  expect(toDisplayLine('a\nb\tc\u0000d\u0085e\u2028f')).toBe('a b c d e f');
  for (const name of ['Zoë', 'عادل', 'שלום', '👩‍👩‍👧', 'می‌خواهم']) expect(toDisplayLine(name)).toBe(name);
});

test('characters that cannot be seen are left out, and a name of nothing else is shown by its id', () => {
  expect(toDisplayLine('A\u200bd\u2060a\ufeff \u00adKim\u{e0041}')).toBe('Ada Kim');
  expect(toDisplayLine('a\u200d\u200d\u200c\u200db')).toBe('a\u200db');
  expect(toDisplayText('{\n  "name": "\u202eAda"\n}')).toBe('{\n  "name": "Ada"\n}');
  expect(chooseVisible('\u200d\u200b \u202e', 'usr_1')).toBe('usr_1');
  expect(chooseVisible(null, 'usr_1')).toBe('usr_1');
  expect(chooseVisible('عادل', 'usr_1')).toBe('عادل');
  expect(nameOfPerson({ id: 'usr_1', external_ref: '\u2066\u2069' })).toBe('usr_1');
});
