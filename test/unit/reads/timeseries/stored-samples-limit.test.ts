import { beforeEach, expect, test } from 'vitest';
import { readTimeseries } from '../../../../shared/reads/timeseries/read-timeseries.ts';
import type { Caller } from '../../../../shared/system/caller.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import { createUser } from '../../../../shared/users/users.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';
import { addDevice, addSamples, ring, watch } from '../../../harness/stored-data.ts';

const caller: Caller = { kind: 'api_key', account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t7', env: 'live', form: 2 };
const stranger: Caller = { ...caller, account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t8' };
const range = { from: '2026-03-13', to: '2026-03-14', names: { from: 'start_date', to: 'end_date' }, maxDays: 31 };

let deps: Deps;
let userId: string;
beforeEach(async () => {
  ({ deps } = memoryDeps());
  userId = (await createUser(deps, caller, { timezone: null })).id;
  const samples = { '2026-03-13T08:00:00Z': 60, '2026-03-14T08:00:00Z': 61 };
  await addSamples(deps, userId, (await addDevice(deps, userId, ring)).ordinal, 'heart_rate', samples);
  await addSamples(deps, userId, (await addDevice(deps, userId, watch)).ordinal, 'weight', samples);
});

const read = (as: Caller, maxStoredSamples: number) =>
  readTimeseries(deps, as, userId, { shape: 'samples', metrics: ['heart_rate', 'weight'], range, maxStoredSamples });

test('a list is rejected with advice if the devices reported more samples than can be read at once', async () => {
  expect(await read(caller, 4)).toMatchObject({ byMetric: [{ samples: [{}, {}] }, { samples: [{}, {}] }] });
  await expect(read(caller, 3)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/more than 3 samples .* Request fewer days or metrics\.$/),
  });
});

test('a caller of another account learns nothing about the number of samples', async () => {
  await expect(read(stranger, 3)).rejects.toMatchObject({ code: 'not_found' });
});
