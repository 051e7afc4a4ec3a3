import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRuns } from '../../../functions/api/console/web/charts/find-runs.ts';

test('a gap or another device ends a run', () => {
  expect(findRuns(['ring', 'ring', null, 'ring', 'phone', 'phone'])).toEqual([
    { id: 'ring', first: 0, last: 1 },
    { id: 'ring', first: 3, last: 3 },
    { id: 'phone', first: 4, last: 5 },
  ]);
});

test('every day of a device is in one run of that device, and no other day is in any', () => {
  const days = fc.array(fc.constantFrom(null, 'ring', 'phone'), { maxLength: 30 });
  fc.assert(
    fc.property(days, (deviceIds) => {
      const runs = findRuns(deviceIds);
      const covered = deviceIds.map((_, at) => runs.filter(({ first, last }) => first <= at && at <= last));
      expect(covered.map((each) => each.map(({ id }) => id))).toEqual(deviceIds.map((id) => (id === null ? [] : [id])));
      for (const [at, run] of runs.entries())
        expect(runs[at + 1]?.id === run.id && runs[at + 1]?.first === run.last + 1).toBe(false);
    }),
  );
});
