import { test } from 'vitest';
import { startTable } from '../system/engines.ts';
import { checkAdmissions } from './bucket.ts';

test('for any arrivals through any number of functions, exactly what a single bucket allows is admitted', async ({
  onTestFinished,
}) => {
  const localTable = await startTable();
  onTestFinished(localTable.stop);
  await checkAdmissions(localTable.table, 40);
});
