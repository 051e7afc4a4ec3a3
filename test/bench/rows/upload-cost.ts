// What one upload costs the table from the request to the feed.
import { measureUploadCosts, type Units } from '../../harness/upload-costs.ts';
import type { Measure, Row } from '../row.ts';

export const measure: Measure = async () => {
  const { changing, unchanged, whole } = await measureUploadCosts();
  return [
    ...rowsOf('hourly sync that changes a day', changing, { read: 31, write: 46 }),
    ...rowsOf('the same with scores and a token refresh', whole, { read: 43, write: 66 }),
    ...rowsOf('the same upload again', unchanged, { read: 5, write: 1 }),
  ];
};

const rowsOf = (name: string, { read, write }: Units, most: Units): Row[] => [
  { name: `${name}: read`, unit: 'units', value: read, hold: { atMost: most.read } },
  { name: `${name}: write`, unit: 'units', value: write, hold: { atMost: most.write } },
];
