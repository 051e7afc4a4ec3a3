import { expect, test } from 'vitest';
import { sanitizeDays } from '../../../../shared/connections/sync/notified-days.ts';

const today = '2026-03-12';

test.each([
  ['as they were said', { from: '2026-03-10', to: '2026-03-11' }, { from: '2026-03-10', to: '2026-03-11' }],
  [
    'none that nobody has lived yet',
    { from: '2026-03-11', to: '2026-12-31' },
    { from: '2026-03-11', to: '2026-03-13' },
  ],
  ['a quarter at most', { from: '2020-01-01', to: '2026-03-12' }, { from: '2025-12-11', to: '2026-03-12' }],
  ['none when all are to come', { from: '2026-03-14', to: '2026-03-20' }, undefined],
  ['none when they end before they begin', { from: '2026-03-11', to: '2026-03-10' }, undefined],
  ['none of ten years ago', { from: '1970-01-01', to: '1970-01-02' }, undefined],
  ['none when the first is no day', { from: '2026-02-30', to: '2026-03-02' }, undefined],
  ['none when the last is no day', { from: '2026-02-20', to: 'now' }, undefined],
])('of announced days are read: %s', (_name, said, read) => {
  expect(sanitizeDays(said, today)).toEqual(read);
});
