// Several devices send data at once: the worker is woken for any of them.
import { expect, test } from 'vitest';
import { acceptRecords } from '../../../shared/pipeline/accept-records.ts';
import { toRawUpload } from '../../../shared/providers/phone/format.ts';
import { createUser } from '../../../shared/users/users.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';
import { addDevice, ring, watch } from '../../harness/stored-data.ts';

const body = toRawUpload({
  time_zone: 'UTC',
  device: { name: 'W', model: 'W', type: 'wrist' },
  samples: [],
  daily: [{ date: '2026-03-01', metric: 'weight', value: 80, unit: 'kg' }],
  sleep: [],
  workouts: [],
});

test('a new upload next to a repeat is enqueued, in either order', async () => {
  const { deps, clock, sentTo, calls } = memoryDeps();
  const caller = { kind: 'api_key', account: 'acc_a', env: 'live', form: 2 } as const;
  for (const turned of [false, true]) {
    const { id } = await createUser(deps, caller, {});
    const [first, second] = [
      await addDevice(deps, id, watch),
      await addDevice(deps, id, { ...ring, id: 'dev_other', ordinal: 1 }),
    ];
    const makeBatch = (device: typeof first) => ({ device, raw: body, scopes: ['body'] });
    const [batch] = await acceptRecords(deps, id, clock.now(), [makeBatch(first)]);
    const known = { ...first, lastBatch: batch ?? '', receivedMs: clock.now() };
    calls.length = 0;
    const both = [makeBatch(known), makeBatch(second)];
    await acceptRecords(deps, id, clock.now() + 1, turned ? both : both.toReversed());
    expect(sentTo('user')).toEqual([{ user_id: id, wake: 0 }]);
  }
});
