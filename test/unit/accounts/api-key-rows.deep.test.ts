import { test } from 'vitest';
import { startTable } from '../system/engines.ts';
import { checkAdmissions } from './bucket.ts';

test('whatever arrives when, through however many functions, exactly what a bucket would let pass is admitted', async ({
  onTestFinished,
}) => {
  const place = await startTable();
  onTestFinished(place.stop);
  await checkAdmissions(place.table, 40);
});
