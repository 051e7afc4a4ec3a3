import { expect, test } from 'vitest';
import { metricIds } from '../../../../shared/catalog/metrics.ts';
import { maxRejectionCounts, RejectionTally } from '../../../../shared/providers/kit/rejection-tally.ts';

test('rejections are counted by code and metric, the most frequent first', () => {
  const tally = new RejectionTally();
  tally.add('invalid_time', 'sleep');
  for (let at = 0; at < 3; at++) tally.add('implausible_value', 'heart_rate');
  tally.add('implausible_value', null);
  expect(tally.list()).toEqual([
    { code: 'implausible_value', metric: 'heart_rate', count: 3 },
    { code: 'invalid_time', metric: 'sleep', count: 1 },
    { code: 'implausible_value', metric: null, count: 1 },
  ]);
});

test('the list has a limited length, however many metrics were rejected', () => {
  const tally = new RejectionTally();
  for (const metric of metricIds) tally.add('invalid_unit', metric);
  expect(tally.list()).toHaveLength(maxRejectionCounts);
});
