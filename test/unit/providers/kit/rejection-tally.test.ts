import { expect, test } from 'vitest';
import { metricIds } from '../../../../shared/catalog/metrics.ts';
import { maxRejectionCounts, RejectionTally } from '../../../../shared/providers/kit/rejection-tally.ts';
import type { RejectionCode } from '../../../../shared/providers/kit/upload-response.ts';

const reason = (code: RejectionCode, message = 'It is wrong.') => ({ code, message });

test('rejections are counted by code, metric and message, the most frequent first', () => {
  const tally = new RejectionTally();
  tally.add(reason('invalid_time'), 'sleep');
  for (let at = 0; at < 3; at++) tally.add(reason('implausible_value'), 'heart_rate');
  tally.add(reason('implausible_value', 'It is too long.'), 'heart_rate');
  tally.add(reason('implausible_value'), null);
  expect(tally.list()).toEqual([
    { ...reason('implausible_value'), metric: 'heart_rate', count: 3 },
    { ...reason('invalid_time'), metric: 'sleep', count: 1 },
    { ...reason('implausible_value', 'It is too long.'), metric: 'heart_rate', count: 1 },
    { ...reason('implausible_value'), metric: null, count: 1 },
  ]);
});

test('the list has a limited length, however many metrics were rejected', () => {
  const tally = new RejectionTally();
  for (const metric of metricIds) tally.add(reason('invalid_unit'), metric);
  expect(tally.list()).toHaveLength(maxRejectionCounts);
});
