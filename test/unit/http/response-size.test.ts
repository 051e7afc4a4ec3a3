import { expect, test } from 'vitest';
import { fitsAsText, fitsInResult } from '../../../shared/http/response-size.ts';

const page = new Headers({ 'content-type': 'text/html; charset=UTF-8' });
const repeatBytes = (character: string, count: number) => new TextEncoder().encode(character.repeat(count));

test.each([
  ['letter', 'x', 6_000_000],
  ['quote', '"', 3_000_000],
  ['backslash', '\\', 3_000_000],
  ['line end', '\n', 1_000_000],
])('a text is sent as text as long as it fits with every %s escaped', (_name, character, maxCount) => {
  expect(fitsAsText(repeatBytes(character, maxCount), page)).toBe(true);
  expect(fitsAsText(repeatBytes(character, maxCount + 1), page)).toBe(false);
  expect(Buffer.byteLength(JSON.stringify(character.repeat(maxCount)))).toBeLessThanOrEqual(6_000_002);
});

test('compressed and non-text content is never sent as text', () => {
  expect(fitsAsText(repeatBytes('x', 10), new Headers({ ...Object.fromEntries(page), 'content-encoding': 'br' }))).toBe(
    false,
  );
  expect(fitsAsText(repeatBytes('x', 10), new Headers({ 'content-type': 'image/png' }))).toBe(false);
  expect(fitsAsText(repeatBytes('x', 10), new Headers({ 'content-type': 'application/json' }))).toBe(true);
});

test('any other content is sent as long as it fits in base64', () => {
  const packed = new Headers({ 'content-type': 'application/json', 'content-encoding': 'gzip' });
  expect(fitsInResult(repeatBytes('x', 4_500_000), packed)).toBe(true);
  expect(fitsInResult(repeatBytes('x', 4_500_001), packed)).toBe(false);
  expect(fitsInResult(repeatBytes('x', 4_500_001), page)).toBe(true);
});
