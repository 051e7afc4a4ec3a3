import { expect, test } from 'vitest';
import { escapeForTerminal, renderJson, renderRow } from '../../../infra/cli/terminal-text.ts';

test('a terminal gets the codes of control characters instead of obeying them', () => {
  expect(escapeForTerminal('\u001b[2Jgone\u009b31m\u0007\u202e')).toBe('\\u{1b}[2Jgone\\u{9b}31m\\u{7}\\u{202e}');
  expect(escapeForTerminal('one\ntwo\r')).toBe('one\ntwo\\u{d}');
});

test('no cell of a table adds a line or a colour to it', () => {
  expect(renderRow('acc_1', 'Fit\nacc_2  active\u001b[31m')).toBe('acc_1  Fit\\u{a}acc_2  active\\u{1b}[31m');
});

test('JSON for a terminal has no control character, and is the same JSON', () => {
  const value = { name: 'Fit\u009b31m\u202e\u2028\u001b[2J', list: [1, null] };
  expect(renderJson(value)).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(renderJson(value))).toEqual(value);
});
