import { expect, test } from 'vitest';
import { renderErasurePage } from '../../../../../functions/api/guides/erasure-page.ts';
import { maxRevocationMs } from '../../../../../shared/connections/revocation-rows.ts';
import { workerWriteDeadlineMs } from '../../../../../shared/platform/write-deadline.ts';
import { checkScriptlessPage } from '../docs-kit/page-checks.ts';

const minuteMs = 60_000;

test('the erasure page says that an upload in progress is erased within three minutes', () => {
  expect(renderErasurePage().html).toContain('three minutes at most');
  expect(workerWriteDeadlineMs).toBeGreaterThan(minuteMs);
  expect(workerWriteDeadlineMs).toBeLessThan(3 * minuteMs);
});

test('the erasure page says for how long a revocation is retried', () => {
  expect(renderErasurePage().html).toContain(`${maxRevocationMs / 3_600_000} hours at most`);
});

checkScriptlessPage(renderErasurePage(), '/docs/erasure');
