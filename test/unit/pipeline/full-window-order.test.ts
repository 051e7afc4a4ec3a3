// A later response of a provider can retract what an earlier one said, never the other way round,
// even when the earlier response fails at first.
import { beforeEach, expect, test } from 'vitest';
import type { Records } from '../../../shared/measurements/records.ts';
import { listQuarantinedUploads, retryQuarantinedUpload } from '../../../shared/pipeline/writer/command-attempts.ts';
import type { Normalizer } from '../../../shared/providers/kit/normalizer.ts';
import { createProviderDevice, type ProviderDevice } from '../../harness/provider-device.ts';
import { runWriter } from '../../harness/run-writer.ts';

let device: ProviderDevice;
beforeEach(async () => {
  device = await createProviderDevice();
});

const date = '2026-03-10';
const makeResponse = (metric: 'weight' | 'steps', value: number): Partial<Records> => ({
  daily: [{ metric, date, value }],
  covered: [{ from: date, to: date, daily: ['weight', 'steps'] }],
});

/** Fails on responses about weight the given number of times. */
function failing(times: number): { normalize: Normalizer; left: () => number } {
  let left = times;
  return {
    left: () => left,
    normalize(raw) {
      const records: Records = JSON.parse(Buffer.from(raw).toString());
      if (records.daily.some(({ metric }) => metric === 'weight') && left-- > 0) throw new Error('not today');
      return { records, rejected: { count: 0, first: [] } };
    },
  };
}

const days = async () => (await device.read()).days;

test('a response that fails at first is processed before those that arrived after it', async () => {
  await device.accept(makeResponse('weight', 80));
  await device.accept(makeResponse('steps', 900));
  const { normalize, left } = failing(2);
  const deps = device.withTable(device.table, normalize);
  // It fails first together with the other response, and then alone.
  await expect(runWriter(deps, device.userId)).rejects.toThrow('not today');
  expect(await days()).toEqual({});
  expect(left()).toBe(0);
  await device.processPending(deps);
  expect(await days()).toEqual({ [date]: { steps: 900 } });
});

test('a quarantined response delays nothing, and retracts nothing when it is retried', async () => {
  await device.accept(makeResponse('weight', 80));
  await device.accept(makeResponse('steps', 900));
  const deps = device.withTable(device.table, failing(99).normalize);
  for (let runs = 0; runs < 4; runs++) await runWriter(deps, device.userId).catch(() => {});
  expect(await days()).toEqual({ [date]: { steps: 900 } });
  const [quarantined] = await listQuarantinedUploads(device.deps);
  if (!quarantined) throw new Error('nothing is quarantined');
  await retryQuarantinedUpload(device.deps, quarantined);
  await device.processPending();
  expect(await days()).toEqual({ [date]: { steps: 900, weight: 80 } });
});
