import { expect, test } from 'vitest';
import { sanitizeDays } from '../../../../shared/connections/sync/notified-days.ts';

const today = '2026-03-12';

test.each([
  ['are read as announced', { from: '2026-03-10', to: '2026-03-11' }, { from: '2026-03-10', to: '2026-03-11' }],
  ['are read only up to tomorrow', { from: '2026-03-11', to: '2026-12-31' }, { from: '2026-03-11', to: '2026-03-13' }],
  [
    'are read for at most a quarter',
    { from: '2020-01-01', to: '2026-03-12' },
    { from: '2025-12-11', to: '2026-03-12' },
  ],
  ['are ignored if they are all in the future', { from: '2026-03-14', to: '2026-03-20' }, undefined],
  ['are ignored if they end before they begin', { from: '2026-03-11', to: '2026-03-10' }, undefined],
  ['are ignored if they are too long ago', { from: '1970-01-01', to: '1970-01-02' }, undefined],
  ['are ignored if the first is not a date', { from: '2026-02-30', to: '2026-03-02' }, undefined],
  ['are ignored if the last is not a date', { from: '2026-02-20', to: 'now' }, undefined],
])('announced days %s', (_name, announced, read) => {
  expect(sanitizeDays(announced, today)).toEqual(read);
});
