import { test } from 'vitest';
import { checkAdmissions } from './bucket.ts';
import { startTable } from './engines.ts';

test('whatever arrives when, through however many functions, exactly what a bucket would let pass is admitted', async ({
  onTestFinished,
}) => {
  const place = await startTable();
  onTestFinished(place.stop);
  await checkAdmissions(place.table, 40);
});
