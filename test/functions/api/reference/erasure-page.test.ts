import { expect, test } from 'vitest';
import { erasurePage } from '../../../../functions/api/reference/erasure-page.ts';
import { workerLifeMs } from '../../../../shared/domain/work/worker-life.ts';
import { maxRevokingMs } from '../../../../shared/store/revocations.ts';
import { checkQuietPage } from './page-checks.ts';

test('the page on erasure says how long late writers are waited for', () => {
  expect(erasurePage().html).toContain(`once more ${workerLifeMs / 1000} seconds later`);
});

test('the page on erasure says how long a consent is tried to be given back', () => {
  expect(erasurePage().html).toContain(`${maxRevokingMs / 3_600_000} hours at most`);
});

checkQuietPage(erasurePage(), '/docs/erasure');
