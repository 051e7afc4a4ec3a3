// The table cost of one upload, from the request to the feed.
import { measureUploadCosts, type Units } from '../../harness/upload-costs.ts';
import type { Measure, Row } from '../row.ts';

export const measure: Measure = async () => {
  const { changing, unchanged, withRefresh } = await measureUploadCosts();
  return [
    ...costRows('hourly sync that changes a day', changing, { read: 12, write: 23 }),
    ...costRows('the same with scores and a token refresh', withRefresh, { read: 13, write: 24 }),
    ...costRows('the same upload again', unchanged, { read: 1, write: 1 }),
  ];
};

const costRows = (name: string, { read, write }: Units, max: Units): Row[] => [
  { name: `${name}: read`, unit: 'units', value: read, bound: { max: max.read } },
  { name: `${name}: write`, unit: 'units', value: write, bound: { max: max.write } },
];
