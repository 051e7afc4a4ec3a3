import { expect, test } from 'vitest';
import { erasurePage } from '../../../../functions/api/reference/erasure-page.ts';
import { workerLifeMs } from '../../../../shared/domain/work/worker-life.ts';
import { checkQuietPage } from './page-checks.ts';

test('the page on erasure says how long late writers are waited for', () => {
  expect(erasurePage().html).toContain(`once more ${workerLifeMs / 1000} seconds later`);
});

checkQuietPage(erasurePage(), '/docs/erasure');
