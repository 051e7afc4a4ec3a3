import { expect, test } from 'vitest';
import { erasurePage } from '../../../../../functions/api/reference/erasure-page.ts';
import { maxRevokingMs } from '../../../../../shared/connections/revocation-rows.ts';
import { workerLifeMs } from '../../../../../shared/platform/worker-life.ts';
import { checkQuietPage } from './page-checks.ts';

const minuteMs = 60_000;

test('the page on erasure says that an upload under way is erased some minutes later', () => {
  expect(erasurePage().html).toContain('is erased some minutes later');
  expect(workerLifeMs).toBeGreaterThan(minuteMs);
  expect(workerLifeMs).toBeLessThan(5 * minuteMs);
});

test('the page on erasure says how long a consent is tried to be given back', () => {
  expect(erasurePage().html).toContain(`${maxRevokingMs / 3_600_000} hours at most`);
});

checkQuietPage(erasurePage(), '/docs/erasure');
