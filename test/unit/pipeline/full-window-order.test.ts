// What a vendor was asked for later may take back what it said before, and never the other way round: not even when the earlier answer fails at first.
import { beforeEach, expect, test } from 'vitest';
import type { Records } from '../../../shared/measurements/records.ts';
import { listQuarantinedUploads, retryQuarantinedUpload } from '../../../shared/pipeline/writer/command-attempts.ts';
import type { Normalizer } from '../../../shared/providers/kit/normalizer.ts';
import { createProviderDevice, type ProviderDevice } from '../../harness/provider-device.ts';
import { runWriter } from '../../harness/run-writer.ts';

let cloud: ProviderDevice;
beforeEach(async () => {
  cloud = await createProviderDevice();
});

const date = '2026-03-10';
const answer = (metric: 'weight' | 'steps', value: number): Partial<Records> => ({
  daily: [{ metric, date, value }],
  covered: [{ from: date, to: date, daily: ['weight', 'steps'] }],
});

/** Fails at answers about weight so many times. */
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

const days = async () => (await cloud.read()).days;

test('an answer that fails at first is worked in before those that came after it', async () => {
  await cloud.accept(answer('weight', 80));
  await cloud.accept(answer('steps', 900));
  const { normalize, left } = failing(2);
  const deps = cloud.withTable(cloud.table, normalize);
  // Together with the other one, and then alone.
  await expect(runWriter(deps, cloud.userId)).rejects.toThrow('not today');
  expect(await days()).toEqual({});
  expect(left()).toBe(0);
  await cloud.processPending(deps);
  expect(await days()).toEqual({ [date]: { steps: 900 } });
});

test('an answer that was set aside keeps nobody waiting, and takes nothing back when it is tried again', async () => {
  await cloud.accept(answer('weight', 80));
  await cloud.accept(answer('steps', 900));
  const deps = cloud.withTable(cloud.table, failing(99).normalize);
  for (let runs = 0; runs < 4; runs++) await runWriter(deps, cloud.userId).catch(() => {});
  expect(await days()).toEqual({ [date]: { steps: 900 } });
  const [aside] = await listQuarantinedUploads(cloud.deps);
  if (!aside) throw new Error('nothing is set aside');
  await retryQuarantinedUpload(cloud.deps, aside);
  await cloud.processPending();
  expect(await days()).toEqual({ [date]: { steps: 900, weight: 80 } });
});
