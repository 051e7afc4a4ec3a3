// The table cost of a changed day and of a rebuild.
import { measureDayCosts } from '../../harness/day-costs.ts';
import type { Measure } from '../row.ts';

export const measure: Measure = async () => {
  const costs = await measureDayCosts();
  return [
    {
      name: 'changed user-day of 4 devices x 60: normalized and canonical',
      unit: 'write units',
      value: costs.unitsPerChangedDay,
      bound: { max: 2 },
    },
    { name: 'unchanged user-day', unit: 'writes', value: costs.putsWhenNothingChanged, bound: { max: 0 } },
    {
      name: 'rebuild of 30 days, 10 of them changed: days written',
      unit: 'writes',
      value: costs.rebuildPuts,
      bound: { max: 10 },
    },
    {
      name: 'rebuild of 30 days: a whole pass, its scores included',
      unit: 'queries',
      value: costs.rebuildQueries,
      bound: { max: 3 },
    },
  ];
};
