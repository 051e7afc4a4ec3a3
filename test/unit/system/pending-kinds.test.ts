import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jobs } from '../../../shared/system/jobs.ts';
import {
  getPendingKindSpec,
  listPendingPartitions,
  type PendingKind,
  pendingIndexKeys,
  pendingKinds,
  pendingShards,
  sweptKinds,
} from '../../../shared/system/pending-kinds.ts';
import { pendingWorkRows } from '../../../shared/system/pending-work-rows.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';
import { pendingRow, someOwner } from '../../harness/pending-work.ts';

const everyKind = Object.keys(pendingKinds) as PendingKind[];
/** A user, a connection to be synced next week, or any other name. */
const anyOwner = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40 }),
  fc.uuid(),
  fc.stringMatching(/^con_[0-9a-z]{26}$/),
  fc.constantFrom('a', '#', 'oura#12345', '~', '0'),
);
const nowMs = Date.UTC(2026, 2, 10);
const weekMs = 7 * 86_400_000;

describe.each(everyKind)('%s', (kind) => {
  test('is found for any owner when it is due, oldest first within a shard, and never before', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(anyOwner, fc.integer({ min: -weekMs, max: weekMs })), {
          selector: ([owner]) => owner,
          maxLength: 30,
        }),
        async (owners) => {
          const { table, deps } = memoryDeps();
          await table.batchWrite(
            owners.map(([owner, offsetMs], row) => ({
              kind: 'put',
              item: { pk: `ROW#${row}`, sk: 'ANY', ...pendingIndexKeys(kind, owner, nowMs + offsetMs) },
            })),
          );
          const { pending: pendingWork, cursor: rest } = await pendingWorkRows(deps.store).listBefore(kind, nowMs, {
            limit: 10_000,
          });
          expect(rest).toBeUndefined();
          const come = owners.filter(([, offsetMs]) => offsetMs < 0);
          expect(pendingWork.map(({ owner, dueMs: sinceMs }) => [owner, sinceMs - nowMs]).sort()).toEqual(come.sort());
          for (const partition of listPendingPartitions(kind)) {
            const times = pendingWork
              .filter(({ owner }) => pendingIndexKeys(kind, owner, 0).duePk === partition)
              .map((each) => each.dueMs);
            expect(times).toEqual(times.toSorted((a, b) => a - b));
          }
        },
      ),
      { numRuns: 25 },
    ));

  test('wakes a queue with messages that its worker can read, each owner in one of them', async () => {
    const owners = Array.from({ length: 60 }, () => someOwner(kind));
    const { queue, jobs: jobsFor } = getPendingKindSpec(kind);
    const pendingWork = owners.map((owner) => {
      const { pk, sk } = pendingRow(kind, owner, nowMs).item;
      return { owner, key: { pk, sk }, dueMs: nowMs };
    });
    const messages = jobsFor(pendingWork);
    for (const message of messages) expect(jobs[queue].safeParse(message).error).toBeUndefined();
    const text = JSON.stringify(messages);
    for (const owner of owners) expect(text.split(owner)).toHaveLength(2);
  });
});

test('owners are spread over every shard', () => {
  const shards = new Set(Array.from({ length: 500 }, () => pendingIndexKeys('user', someOwner('user'), nowMs).duePk));
  expect([...shards].sort()).toEqual(listPendingPartitions('user'));
  expect(shards.size).toBe(pendingShards);
});

test('the sweep covers every kind that has no schedule of its own', () => {
  expect(everyKind.filter((kind) => !sweptKinds.some((swept) => swept === kind))).toEqual(['sandbox', 'sync']);
});
