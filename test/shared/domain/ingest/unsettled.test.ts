import { expect, test } from 'vitest';
import { nothingUnsettled, unsettledBy } from '../../../../shared/domain/ingest/unsettled.ts';
import type { BatchRow, Changed } from '../../../../shared/store/batches.ts';

const noted = (changed: Partial<Changed>): BatchRow => ({
  sk: 'B#',
  batch: 'b',
  device: 'dev_1',
  receivedMs: 1,
  source: 'sdk',
  format: 1,
  timeZone: null,
  scopes: [],
  pieces: 1,
  from: '',
  to: '',
  noted: 1,
  failures: 0,
  changed: { metrics: [], sleep: false, workouts: false, from: null, to: null, runs: [], ...changed },
});
const datesOf = (changed: Partial<Changed>) => [...unsettledBy([noted(changed)], nothingUnsettled()).dates];

test('the days of a note are its runs, not all that lie between', () => {
  const runs = [
    { from: '2026-03-01', to: '2026-03-02' },
    { from: '2026-03-09', to: '2026-03-09' },
  ];
  expect(datesOf({ from: '2026-03-01', to: '2026-03-09', runs })).toEqual(['2026-03-01', '2026-03-02', '2026-03-09']);
});
