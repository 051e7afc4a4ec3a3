import { expect, test } from 'vitest';
import { assertFewStages } from '../../../../shared/reads/sleep/stage-limit.ts';

const night = (stages: number) => ({ row: { stages: `1${'l30_30'.repeat(stages)}` } });

test('a list may have 40,000 stages, and says how to get fewer of them', () => {
  const allowed = [night(30_000), night(10_000), { row: {} }];
  expect(() => assertFewStages(allowed, 'limit')).not.toThrow();
  expect(() => assertFewStages([...allowed, night(1)], 'limit')).toThrow(
    'The parameter limit selects 40001 stages, but the limit is 40000: request smaller pages.',
  );
  expect(() => assertFewStages([...allowed, night(1)], 'end_date')).toThrow(
    'The parameter end_date selects 40001 stages, but the limit is 40000: request fewer days.',
  );
});
