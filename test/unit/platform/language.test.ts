import fc from 'fast-check';
import { expect, test } from 'vitest';
import { languages, negotiateLanguage } from '../../../shared/platform/language.ts';

test.each([
  ['de', 'de'],
  ['fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5', 'fr'],
  ['DE-at', 'de'],
  ['en;q=0.4, es;q=0.9', 'es'],
  ['de;q=0.8,fr;q=0.8', 'de'],
  ['ja, es;q=0.1', 'es'],
  ['de;q=0, fr;q=0.2', 'fr'],
  ['de;q=0', 'en'],
  ['de;q=2, fr;q=0.1', 'fr'],
  ['deutsch, french', 'en'],
  ['ja', 'en'],
  ['*', 'en'],
  ['', 'en'],
  [undefined, 'en'],
  [null, 'en'],
])('the header %s selects the language %s', (header, language) => {
  expect(negotiateLanguage(header)).toBe(language);
});

test('any header selects a supported language', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (header) => languages.includes(negotiateLanguage(header))));
});

test('only the beginning of an endless header is read', () => {
  expect(negotiateLanguage(`${'ja,'.repeat(20)}de`)).toBe('en');
});
