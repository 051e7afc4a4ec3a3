import { expect, test } from 'vitest';
import { escapeForTerminal, renderRow, toDisplayLine } from '../../../shared/platform/display-text.ts';

const escapeCharacter = '\u001b';
const override = '\u202e';

test('a page shows a name as one line that turns nothing around it', () => {
  expect(toDisplayLine(`Ada${override}\u2066 \u2069Kim\u200f`)).toBe('Ada Kim');
  expect(toDisplayLine('a\nb\tc\u0000d\u0085e\u2028f')).toBe('a b c d e f');
  expect(toDisplayLine('\ud800')).toBe('\ufffd');
  for (const name of ['Zoë', 'عادل', 'שלום', '👩‍👩‍👧', 'می‌خواهم']) expect(toDisplayLine(name)).toBe(name);
});

test('a terminal gets the codes of control characters instead of obeying them', () => {
  expect(escapeForTerminal(`${escapeCharacter}[2Jgone\u009b31m\u0007${override}`)).toBe(
    '\\u{1b}[2Jgone\\u{9b}31m\\u{7}\\u{202e}',
  );
  expect(escapeForTerminal('one\ntwo\r')).toBe('one\ntwo\\u{d}');
});

test('no cell of a table adds a line or a colour to it', () => {
  const row = renderRow('acc_1', `Fit\nacc_2  active${escapeCharacter}[31m`);
  expect(row).toBe('acc_1  Fit\\u{a}acc_2  active\\u{1b}[31m');
});
