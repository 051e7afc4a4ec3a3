import { afterAll, expect, test } from 'vitest';
import { listUploads } from '../../../shared/pipeline/list-uploads.ts';
import { uploadSummaryRows } from '../../../shared/pipeline/upload-summary-rows.ts';
import type { Meter } from '../../../shared/platform/ports.ts';
import { maxRejectionCounts } from '../../../shared/providers/kit/rejection-tally.ts';
import { syncWorld } from '../../harness/sync-world.ts';
import { startTable } from '../system/engines.ts';

const calls: Parameters<Meter>[0][] = [];
const localTable = await startTable(undefined, (call) => calls.push(call));
afterAll(() => localTable.stop());

const rejections = Array.from({ length: maxRejectionCounts }, (_none, at) => ({
  code: 'implausible_value' as const,
  metric: `a_metric_with_quite_a_long_name_${at}`,
  message: `a_metric_with_quite_a_long_name_${at} has a unit that it cannot have: ${'unit, '.repeat(16)}`,
  count: 50_000,
}));

test('a summary costs one write unit, and a page of 20 costs one call and few read units', async () => {
  const world = syncWorld({ engine: localTable.table });
  const user = await world.user();
  const rows = uploadSummaryRows(world.deps.store);
  for (let at = 0; at < 50; at++) {
    calls.length = 0;
    await rows.put(user, {
      ...{ batch: `bat_${at}`, device: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2', receivedMs: world.clock.now() },
      ...{ kind: 'poll', accepted: 1000, rejected: 0, rejections: [], failure: null },
    });
    expect(calls.map(({ operation, writeUnits }) => [operation, writeUnits])).toEqual([['PutItem', 1]]);
  }
  calls.length = 0;
  const { uploads } = await listUploads(world.deps, world.caller, user, {
    ...{ limit: 20, position: undefined, rejected: false },
  });
  expect(uploads.map(({ batch_id }) => batch_id)).toEqual(Array.from({ length: 20 }, (_none, at) => `bat_${49 - at}`));
  expect(calls.map(({ operation }) => operation)).toEqual(['GetItem', 'Query']);
  expect(calls.reduce((sum, { readUnits }) => sum + readUnits, 0)).toBeLessThanOrEqual(3);
});

test('the largest summary costs four write units', async () => {
  const world = syncWorld({ engine: localTable.table });
  const user = await world.user();
  calls.length = 0;
  await uploadSummaryRows(world.deps.store).put(user, {
    ...{ batch: 'bat_1', device: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2', receivedMs: world.clock.now() },
    ...{ kind: 'poll', accepted: 1000, rejected: 1_200_000, rejections, failure: null },
  });
  expect(calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0)).toBeLessThanOrEqual(4);
});
