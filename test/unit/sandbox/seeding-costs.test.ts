import { test } from 'vitest';
import { measureSeeding } from '../../harness/seeding-costs.ts';

test('probe', async () => {
  for (const days of (process.env['PROBE'] ?? '7').split(',').map(Number)) {
    const t = performance.now();
    const costs = await measureSeeding(days === 7 ? {} : { sandbox_days: days });
    console.log(days, JSON.stringify(costs), performance.now() - t);
  }
}, 120_000);
