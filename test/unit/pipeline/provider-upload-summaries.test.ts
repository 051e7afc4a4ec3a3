// What a provider's batch leaves in the list of uploads.
import { beforeEach, expect, test } from 'vitest';
import { listUploads } from '../../../shared/pipeline/list-uploads.ts';
import { EngineUnavailable, type Table } from '../../../shared/platform/ports.ts';
import type { Normalizer } from '../../../shared/providers/kit/normalizer.ts';
import { createProviderDevice, exerciseFrom, type ProviderDevice, sleepUntil } from '../../harness/provider-device.ts';

let device: ProviderDevice;
beforeEach(async () => {
  device = await createProviderDevice();
});

const rejectionCounts = [
  { code: 'implausible_value', metric: 'steps', message: 'It is wrong.', count: 2 },
  { code: 'unknown_metric', metric: null, message: 'It is unknown.', count: 1 },
] as const;

/** Reads the records unchanged, and rejects three more. */
const rejectSome: Normalizer = (raw) => ({
  records: JSON.parse(Buffer.from(raw).toString()),
  rejected: { count: 3, first: [] },
  rejectionCounts: [...rejectionCounts],
});

const processRejecting = (table: Table = device.table) => device.processPending(device.withTable(table, rejectSome));
const list = async () =>
  (await listUploads(device.deps, device.caller, device.userId, { limit: 20, position: undefined, rejected: false }))
    .uploads;

const night = sleepUntil('2026-03-10T06:00:00Z');
const run = exerciseFrom('2026-03-10T08:00:00Z');

test.each(['push', 'poll'] as const)('a %s with rejected records leaves a summary', async (via) => {
  await device.accept({ sleep: [night], workouts: [run] }, device.device, { via });
  const receivedMs = device.clock.now();
  await processRejecting();
  const [summary, ...others] = await list();
  expect([summary, others]).toEqual([
    {
      batch_id: expect.stringMatching(/^bat_/),
      received_at: expect.any(String),
      device_id: device.device.id,
      kind: via,
      records: 5,
      accepted: 2,
      rejected: 3,
      failure: null,
      rejections: rejectionCounts,
    },
    [],
  ]);
  expect(Math.abs(Date.parse(summary?.received_at ?? '') - receivedMs)).toBeLessThan(5_000);
});

test.each(['push', 'poll'] as const)('a %s without rejected records is listed, too', async (via) => {
  await device.accept({ sleep: [night] }, device.device, { via });
  await device.processPending();
  expect(await list()).toMatchObject([{ kind: via, records: 1, accepted: 1, rejected: 0, rejections: [] }]);
});

test('a poll that brought no records is not listed', async () => {
  await device.accept({}, device.device, { via: 'poll' });
  await device.processPending();
  expect(await list()).toEqual([]);
});

test('a phone’s upload is summarized when it arrives, and not a second time by the writer', async () => {
  await device.accept({ sleep: [night] });
  await processRejecting();
  expect(await list()).toEqual([]);
});

test('of several batches in one pass, each has the summary of its own records', async () => {
  await device.accept({ sleep: [night] }, device.device, { via: 'poll' });
  await device.accept({ workouts: [run, exerciseFrom('2026-03-10T12:00:00Z')] }, device.device, { via: 'push' });
  await processRejecting();
  expect((await list()).map(({ kind, accepted }) => [kind, accepted])).toEqual([
    ['push', 2],
    ['poll', 1],
  ]);
});

test('a pass that is repeated after a crash leaves one summary', async () => {
  await device.accept({ sleep: [night] }, device.device, { via: 'poll' });
  let hasCrashed = false;
  const crashing: Table = {
    ...device.table,
    async transact(writes) {
      if (!hasCrashed && (await list()).length > 0) {
        hasCrashed = true;
        throw new EngineUnavailable('the worker has crashed');
      }
      return device.table.transact(writes);
    },
  };
  await processRejecting(crashing).catch((error: unknown) => expect(error).toBeInstanceOf(EngineUnavailable));
  expect(hasCrashed).toBe(true);
  await processRejecting();
  expect(await list()).toHaveLength(1);
});
