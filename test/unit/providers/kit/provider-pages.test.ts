import { expect, test } from 'vitest';
import { type ProviderPages, parsePages, toRawPages } from '../../../../shared/providers/kit/provider-pages.ts';

const about = { source: 'oura', format: 1, timeZone: null } as const;
const pages = [
  { resource: 'sleep', text: '{"data":[]}' },
  { resource: 'day', text: 'x'.repeat(600), parameter: '2026-03-10' },
];

test("a provider's response is read as it was stored, and counts for the requested days", () => {
  const stored: ProviderPages = { requested: { from: '2026-03-01', to: '2026-03-14' }, pages };
  const raw = toRawPages(about, stored, '2026-03-20');
  expect(parsePages(Buffer.from(raw.content))).toEqual(stored);
  expect(raw.chunks()).toMatchObject([{ content: raw.content, from: '2026-03-01', to: '2026-03-14' }]);
  expect(raw.chunks()[0]?.records).toBeGreaterThan(10);
});

test("a provider's push counts for the day it arrived", () => {
  const raw = toRawPages(about, { requested: null, pages }, '2026-03-20');
  expect(raw.chunks()).toMatchObject([{ from: '2026-03-20', to: '2026-03-20' }]);
});
