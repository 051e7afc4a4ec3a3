import { expect, test } from 'vitest';
import { fitsAsText, fitsInResult } from '../../../shared/http/response-size.ts';

const page = new Headers({ 'content-type': 'text/html; charset=UTF-8' });
const of = (character: string, count: number) => new TextEncoder().encode(character.repeat(count));

test.each([
  ['letter', 'x', 6_000_000],
  ['quote', '"', 3_000_000],
  ['backslash', '\\', 3_000_000],
  ['line end', '\n', 1_000_000],
])('a text is sent as text as long as it fits with every %s escaped', (_name, character, most) => {
  expect(fitsAsText(of(character, most), page)).toBe(true);
  expect(fitsAsText(of(character, most + 1), page)).toBe(false);
  expect(Buffer.byteLength(JSON.stringify(character.repeat(most)))).toBeLessThanOrEqual(6_000_002);
});

test('compressed and non-text content is never sent as text', () => {
  expect(fitsAsText(of('x', 10), new Headers({ ...Object.fromEntries(page), 'content-encoding': 'br' }))).toBe(false);
  expect(fitsAsText(of('x', 10), new Headers({ 'content-type': 'image/png' }))).toBe(false);
  expect(fitsAsText(of('x', 10), new Headers({ 'content-type': 'application/json' }))).toBe(true);
});

test('any other content is sent as long as it fits in base64', () => {
  const packed = new Headers({ 'content-type': 'application/json', 'content-encoding': 'gzip' });
  expect(fitsInResult(of('x', 4_500_000), packed)).toBe(true);
  expect(fitsInResult(of('x', 4_500_001), packed)).toBe(false);
  expect(fitsInResult(of('x', 4_500_001), page)).toBe(true);
});
